// Package vfs holds the files that emulated containers see: trees of files in memory, and views
// that mount them into one another. No path ever reaches a file of the host.
//
// A [Tree] is one file system: the writable layer of a container over the files of its image, or a
// volume. Its [Base] never changes, is shared by all trees of the same image, and is not stored
// with them; a tree holds only the differences. A [View] is what a container sees: a tree at "/"
// and others mounted below. Two views may mount the same tree; then each reads what the other
// writes.
//
// Everything is bounded: the bytes and the files of a tree, the length of paths and names, and the
// links that a path follows. Errors are [fs.PathError] around an [Errno], whose text is the one
// that Unix tools print.
//
// A tree and its views are the state of one machine: they are not safe for concurrent use. A Base
// is.
package vfs
