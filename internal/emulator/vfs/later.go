package vfs

import "slices"

// Later is content that is made when its file is first read, because making it costs too much for
// files that are never read: a signed token. The request alone decides the content, so it makes no
// difference when it is made.
type Later struct {
	Request []byte `json:"request"`
	Size    int64  `json:"size"` // of the content, in bytes
}

// Maker makes the content for a request; nil if that is not possible yet. The same request always
// has the same content.
type Maker func(request []byte) []byte

// SetMaker sets the maker for files that have only a request so far; with nil they are empty. It is
// not part of the tree's state.
func (t *Tree) SetMaker(m Maker) { t.maker = m }

// content returns the content of a regular file. The tree does not keep content that a maker made:
// a tree is the same whether its files were read or not.
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

// settle stores the content of a file in the tree before it changes.
func (t *Tree) settle(n *Node) {
	if n.Later != nil {
		t.bytes -= n.weight()
		n.Data, n.Later = slices.Clone(t.content(n)), nil
		t.bytes += n.weight()
	}
}

// promise makes a file hold the content for a request.
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

// holds reports whether a file has the content of a projected one.
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
