package object

import "strconv"

// AppendJSON appends the object's JSON as a client sees it, with its resourceVersion.
func (v *Version) AppendJSON(dst []byte) []byte {
	body, used := v.borrow()
	defer giveBack(used)
	n := len(Prefix(v.Type))
	return append(v.appendRevision(append(dst, body[:n]...)), body[n:]...)
}

// SplitJSON is AppendJSON in two parts: what is appended to dst, and the rest, which is part of the
// stored body and must not be changed.
func (v *Version) SplitJSON(dst []byte) (head, rest []byte) {
	n := len(Prefix(v.Type))
	body := v.Body()
	return v.appendRevision(append(dst, body[:n]...)), body[n:]
}

// AppendItemJSON appends the object's JSON as a list item: without kind and apiVersion.
func (v *Version) AppendItemJSON(dst []byte) []byte {
	body, used := v.borrow()
	defer giveBack(used)
	return append(v.appendRevision(append(dst, itemPrefix...)), body[len(Prefix(v.Type)):]...)
}

// itemPrefix replaces the Prefix in an item of a list.
const itemPrefix = `{"metadata":{`

// appendRevision appends the resourceVersion, which comes first in the metadata.
func (v *Version) appendRevision(dst []byte) []byte {
	dst = append(dst, revisionPrefix...)
	dst = strconv.AppendInt(dst, int64(v.Revision), 10)
	return append(dst, revisionSuffix...)
}

const revisionPrefix, revisionSuffix = `"resourceVersion":"`, `",`
