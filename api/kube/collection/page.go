package collection

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/internal/object"
)

// Snapshot is the objects of one resource at one revision. It is immutable.
type Snapshot interface {
	Revision() object.Revision
	Len() int
	// Ascend calls f with every object from the given key on, which need not exist, in order of
	// namespace and name, until f returns false. The zero key is the start.
	Ascend(from object.Key, f func(*object.Version) bool)
}

// Pick returns a page for a selection that only the object with this key can match.
func Pick(snap Snapshot, key object.Key, sel Selection) *render.Page {
	p := &render.Page{Revision: snap.Revision()}
	snap.Ascend(key, func(v *object.Version) bool {
		if v.Namespace == key.Namespace && v.Name == key.Name && sel.Matches(v) {
			p.Versions = append(p.Versions, v)
		}
		return false
	})
	return p
}

// Range says which part of a list a page is.
type Range struct {
	From          object.Key // the zero key is the start
	Limit         int64      // 0 means all objects
	AllNamespaces bool
	Exact         bool // as in Continue
}

// Cut returns a page of a snapshot.
func Cut(snap Snapshot, in Range, sel Selection) *render.Page {
	limit := in.Limit
	p := &render.Page{Revision: snap.Revision()}
	size := int64(snap.Len())
	if limit > 0 && limit < size {
		size = limit
	}
	if sel.everything() {
		p.Versions = make([]*object.Version, 0, size)
	}
	rest := int64(0)
	snap.Ascend(in.From, func(v *object.Version) bool {
		switch {
		case limit > 0 && int64(len(p.Versions)) == limit && sel.everything():
			rest++
		case !sel.Matches(v):
		case limit > 0 && int64(len(p.Versions)) == limit:
			rest++
			return false
		default:
			p.Versions = append(p.Versions, v)
		}
		return true
	})
	if rest > 0 {
		p.Next = EncodeContinue(p.Versions[len(p.Versions)-1].Key(), in.AllNamespaces, p.Revision, in.Exact)
		if sel.everything() {
			p.Remaining = &rest
		}
	}
	return p
}

// ExpiredContinue returns the 410 for a page whose revision is too old. Its token continues at the
// newest revision.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/etcd3/errors.go, handleCompactedErrorForPaging
func ExpiredContinue(from object.Key, allNamespaces bool) error {
	err := apierrors.NewResourceExpired("The provided continue parameter is too old to display a consistent list result. " +
		"You can start a new list without the continue parameter, or use the continue token in this response to retrieve " +
		"the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that " +
		"were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.")
	from.Name = trimNUL(from.Name)
	err.ErrStatus.Continue = EncodeContinue(from, allNamespaces, Latest, false)
	return err
}

// trimNUL removes the last byte of a start key that follows a name.
func trimNUL(name string) string {
	if n := len(name); n > 0 && name[n-1] == 0 {
		return name[:n-1]
	}
	return name
}
