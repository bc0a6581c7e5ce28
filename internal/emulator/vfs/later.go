package vfs

import "slices"

// Later is a file's content that is made when the file is first read, as it costs too much to make
// for every file that nobody reads: a signed token. The content follows from the request, so it
// makes no difference when it is made.
type Later struct {
	Request []byte `json:"request"`
	Size    int64  `json:"size"` // of the content, in bytes
}

// Maker makes the content that a request stands for; nil if that is not possible yet. The same request always has the same content.
type Maker func(request []byte) []byte

// SetMaker sets what makes the content of files that have only a request so far; nil leaves them
// empty. It is not part of the tree's state.
func (t *Tree) SetMaker(m Maker) { t.maker = m }

// content is what a regular file holds. Content that is made is not kept in the tree: a tree is the
// same whether its files were read or not.
func (t *Tree) content(n *Node) []byte {
	if n.Later == nil {
		return n.Data
	}
	request := string(n.Later.Request)
	made, known := t.made[request]
	if !known && t.maker != nil {
		if made = t.maker(n.Later.Request); made != nil {
			set(&t.made, request, made)
		}
	}
	return made
}

// settle has a file hold its content itself, before it is changed.
func (t *Tree) settle(n *Node) {
	if n.Later != nil {
		t.bytes -= n.weight()
		n.Data, n.Later = slices.Clone(t.content(n)), nil
		t.bytes += n.weight()
	}
}

// promise makes a file hold what a request stands for.
func (v *View) promise(full string, l Later) error {
	s, err := v.find("project", full, true)
	if err != nil {
		return err
	}
	own, err := s.change()
	if err != nil {
		return fail("project", full, err.(Errno))
	}
	if err := s.tree.room(int64(len(l.Request)), 0); err != nil {
		return fail("project", full, err.(Errno))
	}
	s.tree.bytes += int64(len(l.Request))
	own.Later = &l
	return nil
}

// holds says whether a file has the content of a projected one.
func (v *View) holds(full string, f Projected) bool {
	s, err := v.find("project", full, true)
	if err != nil {
		return false
	}
	n := s.node()
	if n.Later != nil || f.Later != nil {
		return n.Later != nil && f.Later != nil && n.Later.Size == f.Later.Size && string(n.Later.Request) == string(f.Later.Request)
	}
	return string(n.Data) == string(f.Data)
}
