// Package utility is what the utilities have in common: the small programs that the commands of
// containers call, such as echo, cat, ls and sed, in the manner of busybox and coreutils. The
// utilities themselves are in the packages below it, by subject, and package catalogue lists all of
// them.
//
// A utility is a function over a [Call]: the arguments, the environment, the files that the
// container sees, the time, and its outputs. It knows no process and no host: programs that need
// processes or the network (sleep, kill, xargs, wget) are in the package program.
//
// Most utilities are a [Whole]: called once, with the whole standard input if they read it. Those
// that may read an endless pipe are a [Stream]: called for each piece of input, with their state in
// fields that can be written as JSON between two calls. A [Feed] reads their files.
//
// Everything is bounded: the output of a call, its steps (in loops that a script can make endless),
// the size of lines, patterns and numbers. A utility refuses options that it does not know; it
// never ignores one.
package utility
