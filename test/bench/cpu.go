package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cpuTime is processor time, of the server's own process and of its PostgreSQL. On a busy machine
// it varies less than rates do.
type cpuTime struct{ server, database time.Duration }

// minus returns what has been used since before.
func (c cpuTime) minus(before cpuTime) cpuTime {
	return cpuTime{c.server - before.server, c.database - before.database}
}

// plus returns the sum.
func (c cpuTime) plus(d cpuTime) cpuTime {
	return cpuTime{c.server + d.server, c.database + d.database}
}

// each returns the n-th part.
func (c cpuTime) each(n int) cpuTime {
	return cpuTime{c.server / time.Duration(n), c.database / time.Duration(n)}
}

// tick is the unit of processor times on Linux.
const tick = 10 * time.Millisecond

// process is Linux' data about a process.
type process struct {
	parent   int
	own      time.Duration
	children time.Duration // of those that have ended and were waited for
}

// processes returns all processes of the machine; none if the system is not Linux.
func processes() map[int]process {
	all := map[int]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if p, ok := parseStat(string(b)); ok {
			all[pid] = p
		}
	}
	return all
}

// parseStat parses the file stat of a process. Its name, in parentheses, may hold anything.
func parseStat(stat string) (p process, ok bool) {
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	if len(fields) < 15 {
		return process{}, false
	}
	p.parent, _ = strconv.Atoi(fields[1])
	ticks := func(field int) time.Duration {
		n, _ := strconv.Atoi(fields[field])
		return time.Duration(n) * tick
	}
	p.own, p.children = ticks(11)+ticks(12), ticks(13)+ticks(14)
	return p, true
}

// cpuOf splits the processor time of a server and of the processes below it, which are
// PostgreSQL's.
func cpuOf(server int, all map[int]process) cpuTime {
	c := cpuTime{all[server].own, all[server].children}
	for pid, of := range all {
		for p := of.parent; p > 1; p = all[p].parent {
			if p == server && pid != server {
				c.database += of.own + of.children
				break
			}
		}
	}
	return c
}
