//go:build !linux && !windows

package server

import "syscall"

// needsWatch: there is no signal for a parent's death here.
const needsWatch = true

func dieWithParent(*syscall.SysProcAttr) {}
