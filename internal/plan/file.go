package plan

// File is a file of an emulated node, as Pods see it through volumes of type hostPath.
type File struct {
	Node string
	Path string // absolute and clean

	// Mode has the file's type and permissions, in the bits of internal/emulator/vfs. Data is the
	// file's content, or the target of a symbolic link.
	Mode     uint32
	UID, GID int
	Data     []byte

	// Removed deletes the file; only Node and Path then count.
	Removed bool
}
