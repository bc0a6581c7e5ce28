package server

import "syscall"

// needsWatch: the kernel does what the watcher would do, for everything but files.
const needsWatch = false

// dieWithParent has the kernel signal the child when the thread that started it dies.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = quit }
