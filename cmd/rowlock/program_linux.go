package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// releaseProgram makes the pages of the program itself, its code and constants, no longer resident.
// Linux keeps them in its cache, and maps each page again when it is used: at rest those are few,
// while a start uses half of the program. A traced process keeps them, because they contain the
// debugger's breakpoints.
func releaseProgram() {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil || !bytes.Contains(status, []byte("\nTracerPid:\t0\n")) {
		return
	}
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close() //nolint:errcheck // it was only read
	for _, m := range unchanging(maps, program) {
		// A region that the kernel cannot release, for example because it is locked, stays resident.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// region is a range of addresses, without its end.
type region struct{ start, end uintptr }

// unchanging returns the regions in which a process has mapped a file and cannot write.
//
// Source: proc_pid_maps(5)
func unchanging(maps io.Reader, file string) []region {
	var regions []region
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		// Address range, permissions, offset, device, inode and, after spaces, the path.
		fields := strings.SplitN(lines.Text(), " ", 6)
		if len(fields) < 6 || strings.Contains(fields[1], "w") || strings.TrimLeft(fields[5], " ") != file {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		start, err1 := strconv.ParseUint(from, 16, strconv.IntSize)
		end, err2 := strconv.ParseUint(to, 16, strconv.IntSize)
		if err1 == nil && err2 == nil {
			regions = append(regions, region{uintptr(start), uintptr(end)})
		}
	}
	return regions
}
