package wire

// indenter indents JSON as encoding/json.Indent does with two spaces, in parts of any size, so that
// no document is held as a whole. The document must be valid.
type indenter struct {
	depth   int
	quoted  bool // within a string
	escaped bool // after a backslash
	opened  bool // after a bracket whose list or map may be empty
}

// append appends the indented form of the next bytes of the document, and stops early once dst is
// as long as enough. It returns the number of bytes that it consumed.
func (in *indenter) append(dst, doc []byte, enough int) ([]byte, int) {
	for i, c := range doc {
		if len(dst) >= enough {
			return dst, i
		}
		if in.quoted {
			dst = append(dst, c)
			in.quoted = in.escaped || c != '"'
			in.escaped = !in.escaped && c == '\\'
			continue
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '}', ']':
			in.depth--
			if !in.opened {
				dst = in.line(dst)
			}
			in.opened = false
			dst = append(dst, c)
			continue
		}
		if in.opened {
			in.opened = false
			dst = in.line(dst)
		}
		dst = append(dst, c)
		switch c {
		case '"':
			in.quoted = true
		case '{', '[':
			in.depth++
			in.opened = true
		case ',':
			dst = in.line(dst)
		case ':':
			dst = append(dst, ' ')
		}
	}
	return dst, len(doc)
}

func (in *indenter) line(dst []byte) []byte {
	dst = append(dst, '\n')
	for range in.depth {
		dst = append(dst, "  "...)
	}
	return dst
}
