package main

import (
	"os/exec"

	"golang.org/x/sys/windows"
)

// apart makes a command run without this process's console.
func apart(command *exec.Cmd) {
	command.SysProcAttr = &windows.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}
