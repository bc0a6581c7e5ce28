package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// The system calls of PostgreSQL that a fault of the disk changes, in the words of strace. Files of
// tables and of the log grow by fallocate and pwritev; a full disk still lets the rest be
// overwritten.
//
// Source: PostgreSQL's src/backend/storage/file/fd.c, FileFallocate, and src/common/file_utils.c, pg_pwrite_zeros
var injections = map[Kind]string{
	FullDisk:  "fallocate,pwritev,pwritev2:error=ENOSPC",
	SlowDisk:  "fsync,fdatasync,pwrite64,pwritev,pwritev2:delay_enter=20000",
	FailFsync: "fsync,fdatasync:error=EIO",
}

// diskFaults reports why faults of the disk cannot be injected here; nil if they can: strace must
// be allowed to attach to a process that it has not started.
func diskFaults(ctx context.Context) error {
	other := exec.CommandContext(ctx, "sleep", "600")
	if err := other.Start(); err != nil {
		return err
	}
	defer func() { _, _ = other.Process.Kill(), other.Wait() }() // it has no other end
	stop, err := strace(ctx, injections[SlowDisk], []int{other.Process.Pid})
	if err != nil {
		return err
	}
	return stop()
}

// befallDisk makes the system calls of all processes of the primary fail or wait. If PostgreSQL
// ends because it cannot recover, it is started again, as an operator would.
func (f *fleet) befallDisk(ctx context.Context, fault Fault, last func()) error {
	family, err := f.database.processes(&f.database.primary)
	if err != nil {
		return err
	}
	stop, err := strace(ctx, injections[fault.Kind], family)
	if err != nil {
		return err
	}
	last()
	if err := stop(); err != nil {
		return err
	}
	return f.database.revive(context.WithoutCancel(ctx))
}

// strace attaches to processes, and to those that they start, and changes their system calls until
// it is stopped.
func strace(ctx context.Context, injection string, pids []int) (stop func() error, err error) {
	calls, _, _ := bytes.Cut([]byte(injection), []byte(":"))
	args := []string{"--follow-forks", "--quiet=all", "--output=/dev/null", "--trace=" + string(calls), "--inject=" + injection}
	for _, pid := range pids {
		args = append(args, "--attach="+strconv.Itoa(pid))
	}
	cmd := exec.CommandContext(ctx, "strace", args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	attached := func() bool { return tracer(pids[0]) == cmd.Process.Pid }
	for deadline := time.Now().Add(10 * time.Second); !attached(); time.Sleep(5 * time.Millisecond) {
		select {
		case err := <-ended:
			return nil, fmt.Errorf("strace: %w: %s", err, said.String())
		default:
		}
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			return nil, errors.Join(errors.New("strace does not attach"), <-ended)
		}
	}
	return func() error {
		_ = cmd.Process.Signal(os.Interrupt) // it detaches; it has ended if all processes have
		<-ended                              //nolint:errcheck // its status is that of the signal
		return nil
	}, nil
}

// processes returns the processes of a server, the first one first.
func (d *database) processes(n *node) ([]int, error) {
	first, err := d.postmaster(n)
	if err != nil {
		return nil, err
	}
	return append([]int{first}, children(first)...), nil
}

// postmaster returns the first process of a server.
func (d *database) postmaster(n *node) (int, error) {
	d.mu.Lock()
	dir := n.dir
	d.mu.Unlock()
	return firstProcess(filepath.Join(dir, "pgdata"))
}
