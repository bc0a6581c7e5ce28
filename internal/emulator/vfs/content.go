package vfs

import "slices"

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

// fitting returns the part of p that fits at an offset, and whether that is not all.
func (t *Tree) fitting(n *Node, offset int64, p []byte) ([]byte, bool) {
	free := t.maxBytes() - t.bytes + int64(len(n.Data)) - offset
	if int64(len(p)) <= free {
		return p, false
	}
	return p[:max(0, free)], true
}

// resize makes room for the new content of a regular file, and sets its length.
func (t *Tree) resize(n *Node, size int64) error {
	t.settle(n)
	more := size - int64(len(n.Data))
	if more > 0 {
		if err := t.room(more, 0); err != nil {
			return err
		}
	}
	t.bytes += more
	if more <= 0 {
		n.Data = n.Data[:size]
		return nil
	}
	n.Data = append(n.Data, make([]byte, more)...)
	return nil
}
