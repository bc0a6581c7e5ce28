// Package vfs holds the files that emulated containers see: trees of files in memory, and views that mount them into one
// another. No path ever reaches a file of the host.
//
// A [Tree] is one file system: the writable layer of a container over the files of its image, or a volume. Its [Base] is
// shared by everything that starts from the same image, never changes, and is not stored with it; a tree remembers what
// differs. A [View] is what a container sees: a tree at "/" and others mounted below. Two views may mount the same tree,
// and what one writes, the other reads.
//
// Everything is bounded: the bytes and the files of a tree, the length of paths and names, the links followed on the way.
// Errors are [fs.PathError] around an [Errno], whose text is the one that Unix tools print.
//
// A tree and the views on it are the state of one machine: they are not safe for use by several goroutines. A Base is.
package vfs
