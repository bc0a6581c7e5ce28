//go:build !windows

package main

import (
	"os/exec"
	"syscall"
)

// apart makes a command begin a session of its own.
func apart(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
