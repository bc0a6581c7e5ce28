package object

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shared are managedFields entries recently seen in decoded objects: the Pods of one template have
// the same ones, and so have the versions of one object. They are most of a small object's memory.
// An entry is found by the hash of its fields.
var shared = make(Recent[sharedEntry], 4096)

// sharedEntry is an entry and what it refers to, in one allocation.
type sharedEntry struct {
	entry  metav1.ManagedFieldsEntry // without its time
	fields metav1.FieldsV1
	asIs   atomic.Int32 // see encodedAsIs: 1 if it is, -1 if not, 0 if that has not been asked yet
}

var sharedSeed = maphash.MakeSeed()

// shareManagedFields lets the object, which is not shared yet, refer to the same entries in memory
// as others. Only the referenced data is shared: the object gets entries of its own.
func shareManagedFields(o Object) {
	sent := o.GetManagedFields()
	if len(sent) == 0 {
		return
	}
	entries := make([]metav1.ManagedFieldsEntry, len(sent))
	for i := range sent {
		entries[i] = shareEntry(&sent[i])
	}
	o.SetManagedFields(entries)
}

// shareEntry returns an entry equal to e.
func shareEntry(e *metav1.ManagedFieldsEntry) metav1.ManagedFieldsEntry {
	if e.FieldsV1 == nil {
		return *e
	}
	out := sharedOf(e, e.FieldsV1.Raw).entry
	out.Time = e.Time
	return out
}

// sharedOf returns the shared entry that says what e does, with these fields instead of its own.
func sharedOf(e *metav1.ManagedFieldsEntry, fields []byte) *sharedEntry {
	hash := maphash.Bytes(sharedSeed, fields)
	if s := shared.At(hash); s != nil && s.says(e, fields) {
		return s
	}
	s := &sharedEntry{entry: *e, fields: metav1.FieldsV1{Raw: bytes.Clone(fields)}}
	s.entry.FieldsV1, s.entry.Time = &s.fields, nil
	shared.Keep(hash, s)
	return s
}

// Trimmed returns a list without spare capacity, as decoders leave it.
func Trimmed[E any](list []E) []E {
	if cap(list) == len(list) {
		return list
	}
	return slices.Clone(list)
}

// encodedAsIs reports whether the entry's texts need no escapes.
func (s *sharedEntry) encodedAsIs() bool {
	if s.asIs.Load() == 0 {
		is := int32(-1)
		if encodedAsIs(&s.entry) {
			is = 1
		}
		s.asIs.Store(is)
	}
	return s.asIs.Load() > 0
}

// says reports whether the entry is equal to e with these fields, except for the time.
func (s *sharedEntry) says(e *metav1.ManagedFieldsEntry, fields []byte) bool {
	return s.entry.Manager == e.Manager && s.entry.Operation == e.Operation && s.entry.APIVersion == e.APIVersion &&
		s.entry.FieldsType == e.FieldsType && s.entry.Subresource == e.Subresource && bytes.Equal(s.fields.Raw, fields)
}
