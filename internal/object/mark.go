package object

import "bytes"

// Mark is a property that few objects have, or a union of several.
type Mark uint32

// The marks.
const (
	HasOwners     Mark = 1 << iota // it has ownerReferences
	HasFinalizers                  // it has finalizers
	Terminating                    // it is being deleted: it has a deletionTimestamp

	known // the marks have been determined
)

// tokens are contained in the metadata of objects with a mark, before managedBegin in those of built-in
// types. Other bodies may contain them too.
var tokens = [][]byte{[]byte(`"ownerReferences"`), []byte(`"finalizers"`), []byte(`"deletionTimestamp"`)}

// Is reports whether the object has one of the marks. They are determined once, without decoding
// objects that have none. A tombstone has the marks of its last state.
func (v *Version) Is(marks Mark) bool {
	m := Mark(v.marks.Load())
	if m == 0 {
		m = v.findMarks() | known
		v.marks.Store(uint32(m))
	}
	return m&marks != 0
}

func (v *Version) findMarks() (m Mark) {
	if v.Remembered() == nil {
		body, used := v.borrow()
		if v.Type.Custom == nil {
			body, _, _ = bytes.Cut(body, managedBegin)
		}
		mayHave := mayHaveMarks(body)
		if giveBack(used); !mayHave {
			return 0
		}
	}
	return marksOf(v.Object())
}

// managedBegin begins the managedFields, which are the last of a built-in type's metadata. No text
// contains it, as quotes are escaped there.
var managedBegin = []byte(`"managedFields":[`)

func mayHaveMarks(body []byte) bool {
	for _, token := range tokens {
		if bytes.Contains(body, token) {
			return true
		}
	}
	return false
}

// Mark determines the marks of a version that is not shared yet, whose object is o.
func (v *Version) Mark(o Object) { v.marks.Store(uint32(marksOf(o) | known)) }

func marksOf(o Object) (m Mark) {
	if len(o.GetOwnerReferences()) > 0 {
		m |= HasOwners
	}
	if len(o.GetFinalizers()) > 0 {
		m |= HasFinalizers
	}
	if o.GetDeletionTimestamp() != nil {
		m |= Terminating
	}
	return m
}
