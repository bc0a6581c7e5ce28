package vfs

import (
	"encoding/json"
	"slices"
	"time"
	"unicode/utf8"
)

// The bits of a mode, with the numbers of Unix.
const (
	ModeType    = 0o170000
	ModeRegular = 0o100000
	ModeDir     = 0o040000
	ModeLink    = 0o120000
	ModeChar    = 0o020000
	ModeBlock   = 0o060000
	ModeFIFO    = 0o010000
	ModeSocket  = 0o140000

	ModeSetUID = 0o4000
	ModeSetGID = 0o2000
	ModeSticky = 0o1000
	ModePerm   = 0o7777 // what chmod changes
)

// Limits of paths: their bytes, the bytes of a name, and the links that are followed.
const (
	maxPath  = 4096
	maxName  = 255
	maxLinks = 40
)

// Ino is the number of a file in its tree. The root directory is 1.
type Ino uint64

const rootIno Ino = 1

// Node is one file: its content and metadata, but not its names.
type Node struct {
	Mode uint32 // type and permissions
	UID  int
	GID  int

	// MTime is when its content changed, in nanoseconds since 1970.
	MTime int64

	// Links is the number of its names; 1 for a directory.
	Links int

	Data   []byte // of a regular file
	Later  *Later // of a regular file whose content is made when it is first read; nil for others
	Target string // of a symbolic link
	Device string // of a special file: its name, such as "null"

	// Entries are the names in a directory. In a directory of the base, they are the names that the
	// base does not have or gives to another file; Gone are the names of the base that were
	// removed.
	Entries map[string]Ino
	Gone    map[string]bool
}

// Later is content that is made when its file is first read, because making it costs too much for
// files that are never read: a signed token. The request alone decides the content, so it makes no
// difference when it is made.
type Later struct {
	Request []byte `json:"request"`
	Size    int64  `json:"size"` // of the content, in bytes
}

func (n *Node) kind() uint32    { return n.Mode & ModeType }
func (n *Node) isDir() bool     { return n.kind() == ModeDir }
func (n *Node) isRegular() bool { return n.kind() == ModeRegular }

// size returns the size that stat shows.
func (n *Node) size() int64 {
	switch n.kind() {
	case ModeRegular:
		if n.Later != nil {
			return n.Later.Size
		}
		return int64(len(n.Data))
	case ModeLink:
		return int64(len(n.Target))
	case ModeDir:
		return 4096
	}
	return 0
}

// weight returns what the node counts towards the bytes of its tree.
func (n *Node) weight() int64 {
	w := int64(len(n.Data) + len(n.Target))
	if n.Later != nil {
		w += int64(len(n.Later.Request))
	}
	for name := range n.Entries {
		w += int64(len(name))
	}
	for name := range n.Gone {
		w += int64(len(name))
	}
	return w
}

// storedNode is the stored form of a Node: short names, and text as text, which compresses better
// than base64.
type storedNode struct {
	Mode    uint32          `json:"m"`
	UID     int             `json:"u,omitempty"`
	GID     int             `json:"g,omitempty"`
	MTime   int64           `json:"t,omitempty"`
	Links   int             `json:"l,omitempty"`
	Text    string          `json:"s,omitempty"`
	Data    []byte          `json:"b,omitempty"`
	Target  string          `json:"to,omitempty"`
	Device  string          `json:"dev,omitempty"`
	Entries map[string]Ino  `json:"e,omitempty"`
	Gone    map[string]bool `json:"x,omitempty"`
	Odd     []oddEntry      `json:"o,omitempty"`
	Later   *Later          `json:"later,omitempty"`
}

// oddEntry is an entry whose name is not UTF-8, which a JSON key cannot hold.
type oddEntry struct {
	Name []byte `json:"n"`
	Ino  Ino    `json:"i,omitempty"` // 0: the name was removed
}

// MarshalJSON implements json.Marshaler.
func (n *Node) MarshalJSON() ([]byte, error) {
	s := storedNode{Mode: n.Mode, UID: n.UID, GID: n.GID, MTime: n.MTime, Links: n.Links, Device: n.Device, Later: n.Later}
	if utf8.Valid(n.Data) {
		s.Text = string(n.Data)
	} else {
		s.Data = n.Data
	}
	if utf8.ValidString(n.Target) {
		s.Target = n.Target
	} else {
		s.Data = []byte(n.Target)
	}
	for name, ino := range n.Entries {
		s.put(name, ino)
	}
	for name := range n.Gone {
		s.put(name, 0)
	}
	sortOdd(s.Odd)
	return json.Marshal(s)
}

func (s *storedNode) put(name string, ino Ino) {
	switch {
	case !utf8.ValidString(name):
		s.Odd = append(s.Odd, oddEntry{Name: []byte(name), Ino: ino})
	case ino == 0:
		set(&s.Gone, name, true)
	default:
		set(&s.Entries, name, ino)
	}
}

func sortOdd(odd []oddEntry) {
	slices.SortFunc(odd, func(a, b oddEntry) int { return slices.Compare(a.Name, b.Name) })
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Node) UnmarshalJSON(text []byte) error {
	var s storedNode
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*n = Node{
		Mode: s.Mode, UID: s.UID, GID: s.GID, MTime: s.MTime, Links: s.Links,
		Data: s.Data, Target: s.Target, Device: s.Device, Entries: s.Entries, Gone: s.Gone, Later: s.Later,
	}
	switch {
	case s.Text != "":
		n.Data = []byte(s.Text)
	case n.kind() == ModeLink && n.Target == "":
		n.Target, n.Data = string(s.Data), nil
	}
	for _, e := range s.Odd {
		if e.Ino == 0 {
			set(&n.Gone, string(e.Name), true)
		} else {
			set(&n.Entries, string(e.Name), e.Ino)
		}
	}
	return nil
}

func set[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// Info is what stat returns for a file.
type Info struct {
	Name   string // the last element of the requested path
	Tree   string // the name of its tree; "" for a generated file
	Ino    Ino
	Mode   uint32
	UID    int
	GID    int
	Size   int64
	Links  int
	MTime  time.Time // UTC
	Target string    // of a symbolic link
	Device string    // of a special file
}

// IsDir reports whether it is a directory.
func (i Info) IsDir() bool { return i.Mode&ModeType == ModeDir }

// IsRegular reports whether it is a regular file.
func (i Info) IsRegular() bool { return i.Mode&ModeType == ModeRegular }

// IsLink reports whether it is a symbolic link.
func (i Info) IsLink() bool { return i.Mode&ModeType == ModeLink }

// Same reports whether two paths led to the same file.
func (i Info) Same(o Info) bool { return i.Tree == o.Tree && i.Ino == o.Ino }

// DirEntry is a name in a directory.
type DirEntry struct {
	Name string
	Mode uint32
	Ino  Ino
}

// IsDir reports whether it is a directory.
func (e DirEntry) IsDir() bool { return e.Mode&ModeType == ModeDir }
