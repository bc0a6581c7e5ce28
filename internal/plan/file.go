package plan

// File is a file of an emulated node, as Pods see it through volumes of the type hostPath.
type File struct {
	Node string
	Path string // absolute and clean

	// Mode has the file's type and permissions, in the bits of internal/emulator/vfs. Data is what a file holds, or
	// where a symbolic link leads.
	Mode     uint32
	UID, GID int
	Data     []byte

	// Removed has the file go; of what else is said of it only Node and Path count.
	Removed bool
}
