package object

import "bytes"

// AppendMetadata appends the object's metadata as JSON, with its resourceVersion; bare omits the
// managedFields.
func (v *Version) AppendMetadata(dst []byte, bare bool) []byte {
	body, used := v.borrow()
	defer giveBack(used)
	rest := body[len(Prefix(v.Type)):]
	m := scanMetadata(rest)
	return append(m.append(v.openMeta(append(dst, '{')), rest, bare), '}')
}

// AfterMetadata returns what follows the metadata in a body: the other members, from their first
// comma on, and the closing brace.
func AfterMetadata(body []byte) []byte {
	_, rest, _ := bytes.Cut(body, []byte(prefixMetadata))
	if m := scanMetadata(rest); m.end < len(rest) {
		return rest[m.end+1:]
	}
	return nil
}

// AppendBareJSON is AppendJSON without the managedFields, AppendBareItemJSON is AppendItemJSON
// without them.
func (v *Version) AppendBareJSON(dst []byte) []byte {
	body, used := v.borrow()
	defer giveBack(used)
	n := len(Prefix(v.Type))
	return v.appendBare(append(dst, body[:n]...), body[n:])
}

// AppendBareItemJSON is AppendItemJSON without the managedFields.
func (v *Version) AppendBareItemJSON(dst []byte) []byte {
	body, used := v.borrow()
	defer giveBack(used)
	return v.appendBare(append(dst, itemPrefix...), body[len(Prefix(v.Type)):])
}

// appendBare appends what follows the Prefix in a body, without the managedFields.
func (v *Version) appendBare(dst, rest []byte) []byte {
	m := scanMetadata(rest)
	return append(m.append(v.openMeta(dst), rest, true), rest[m.end:]...)
}

// openMeta appends the beginning of the metadata: the resourceVersion, unless the version has no
// revision, as in a dry run.
func (v *Version) openMeta(dst []byte) []byte {
	if v.Revision == 0 {
		return dst
	}
	return v.appendRevision(dst)
}

// metadata is the positions in a body after its Prefix: the metadata ends with the brace at end,
// and the managedFields are from the comma before them, or from the beginning, up to to; both are 0
// if there are none.
type metadata struct{ from, to, end int }

// managed is the key to omit.
var managed = []byte("managedFields")

// scanMetadata finds the parts of metadata. Our own encoder has written the bodies, so they are
// JSON without spaces.
func scanMetadata(rest []byte) (m metadata) {
	depth, key, comma, inManaged := 0, true, 0, false
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '"':
			text := i + 1
			i = endOfString(rest, text)
			if depth == 0 && key {
				if inManaged = bytes.Equal(rest[text:i], managed); inManaged {
					m.from = comma
				}
				key = false
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				if m.end = i; inManaged {
					m.to = i
				}
				return m
			}
		case ',':
			if depth == 0 {
				if inManaged {
					m.to, inManaged = i, false
				}
				key, comma = true, i
			}
		}
	}
	return metadata{end: len(rest)}
}

// endOfString returns the position of the quote that ends the string beginning at an index.
func endOfString(doc []byte, from int) int {
	for i := from; ; {
		n := bytes.IndexByte(doc[i:], '"')
		if n < 0 {
			return len(doc)
		}
		i += n
		escapes := 0
		for j := i - 1; j >= from && doc[j] == '\\'; j-- {
			escapes++
		}
		if escapes%2 == 0 {
			return i
		}
		i++
	}
}

// append appends the members of the metadata.
func (m metadata) append(dst, rest []byte, bare bool) []byte {
	if !bare || m.to == 0 {
		return append(dst, rest[:m.end]...)
	}
	before, after := rest[:m.from], rest[m.to:m.end]
	if m.from == 0 && len(after) > 0 {
		after = after[1:] // the comma before what is now first
	}
	return append(append(dst, before...), after...)
}
