package server

import "syscall"

// needsWatch: the kernel does what the watcher would do, except for files.
const needsWatch = false

// dieWithParent makes the kernel signal the child when the thread that started it dies.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = quit }
