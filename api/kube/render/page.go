package render

import (
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// Page is one page of a list: the versions and the list's metadata.
type Page struct {
	Versions  []*object.Version
	Revision  object.Revision
	Next      string // the token of the next page, "" on the last one
	Remaining *int64 // the number of objects that follow; nil if unknown
}

// meta returns the list's metadata.
func (p *Page) meta() metav1.ListMeta {
	return metav1.ListMeta{ResourceVersion: p.Revision.ResourceVersion(), Continue: p.Next, RemainingItemCount: p.Remaining}
}

// appendListHead appends a list up to its first item.
func appendListHead(dst []byte, kind, apiVersion string, p *Page) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(dst, kind...)
	dst = append(dst, `","apiVersion":"`...)
	dst = append(dst, apiVersion...)
	dst = append(dst, `","metadata":{"resourceVersion":"`...)
	dst = strconv.AppendInt(dst, int64(p.Revision), 10)
	dst = append(dst, '"')
	if p.Next != "" {
		dst = append(dst, `,"continue":"`...)
		dst = append(dst, p.Next...)
		dst = append(dst, '"')
	}
	if p.Remaining != nil {
		dst = append(dst, `,"remainingItemCount":`...)
		dst = strconv.AppendInt(dst, *p.Remaining, 10)
	}
	return append(dst, `},"items":[`...)
}
