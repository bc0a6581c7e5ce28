// Package utility is the small programs that the commands of containers call: echo, cat, ls, sed and their like, in the
// manner of busybox and coreutils.
//
// A utility is a function over a [Call]: the arguments, the environment, the files that the container sees, the time, and
// where its output goes. It knows no process and no host: what needs processes or the network (sleep, kill, xargs, wget)
// belongs to the kernel of the machine.
//
// Most are a [Whole]: called once, with all of standard input if they read it. Those that stand in pipes which never end
// are a [Stream]: called for each piece of input, with their state in fields that can be written as JSON between two
// calls.
//
// Everything is bounded: the output of a call, its steps (of loops that a script can make endless), the size of lines,
// patterns and numbers. An option that a utility does not know is refused, never passed over.
package utility
