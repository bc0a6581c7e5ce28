package fieldmanager

// touches reports whether a change removes anything from a set, both below the given nodes.
func touches(s *tree, in int32, change *tree, by int32) bool {
	a, b := s.nodes[in].child, change.nodes[by].child
	for a != 0 && b != 0 {
		x, y := &s.nodes[a], &change.nodes[b]
		switch c := compareElements(x, y); {
		case c < 0:
			a = x.next
		case c > 0:
			b = y.next
		default:
			if x.flags != 0 && y.flags&(added|modified|removed) != 0 || touches(s, a, change, b) {
				return true
			}
			a, b = x.next, y.next
		}
	}
	return false
}

// writer writes what a change leaves of a set of fields.
type writer struct {
	own    *tree // what was owned; only its first node for nothing
	change *tree
	mine   bool // whether the change is the owner's, who then gains what it adds and modifies
}

// write appends what is owned below two nodes, either of which may be -1, without braces.
func (w *writer) write(dst []byte, in, by int32) []byte {
	begin := len(dst)
	a, b := int32(0), int32(0)
	if in >= 0 {
		a = w.own.nodes[in].child
	}
	if by >= 0 {
		b = w.change.nodes[by].child
	}
	for a != 0 || b != 0 && w.mine {
		c := 0
		switch {
		case b == 0:
			c = -1
		case a == 0:
			c = 1
		default:
			c = compareElements(&w.own.nodes[a], &w.change.nodes[b])
		}
		switch {
		case c < 0:
			x := &w.own.nodes[a]
			dst = openElement(dst, x)
			dst = append(append(dst, x.inner...), "},"...)
			a = x.next
		case c > 0:
			dst = w.element(dst, -1, b)
			b = w.change.nodes[b].next
		default:
			dst = w.element(dst, a, b)
			a, b = w.own.nodes[a].next, w.change.nodes[b].next
		}
	}
	if len(dst) > begin {
		dst = dst[:len(dst)-1] // the last comma
	}
	return dst
}

// element appends one element with what is below it and a comma, or nothing if neither is owned.
func (w *writer) element(dst []byte, a, b int32) []byte {
	y := &w.change.nodes[b]
	is := w.mine && y.flags.claimed()
	x := y
	if a >= 0 {
		x = &w.own.nodes[a]
		taken := y.flags & removed
		if !w.mine {
			taken = y.flags & (added | modified | removed)
		}
		is = is || x.flags != 0 && taken == 0
	}
	mark := len(dst)
	dst = openElement(dst, x)
	inside := len(dst)
	if is {
		dst = append(dst, `".":{},`...)
	}
	below := len(dst)
	dst = w.write(dst, a, b)
	switch {
	case len(dst) > below:
	case is:
		dst = dst[:inside] // a member with nothing below it is an empty object
	default:
		return dst[:mark]
	}
	return append(dst, "},"...)
}

func openElement(dst []byte, n *node) []byte {
	dst = append(dst, '"', n.kind, ':')
	dst = append(dst, n.text...)
	return append(dst, `":{`...)
}
