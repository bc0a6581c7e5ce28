package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// TableOptions say what the rows of a table include besides their cells.
type TableOptions struct {
	include   metav1.IncludeObjectPolicy
	noHeaders bool
}

// ReadTableOptions parses the table's options in the query.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/response.go, optionsForTransform
func ReadTableOptions(req *http.Request) (TableOptions, error) {
	var o metav1.TableOptions
	if err := wire.DecodeQuery(req, &o); err != nil {
		return TableOptions{}, err
	}
	if errs := metavalidation.ValidateTableOptions(&o); len(errs) > 0 {
		return TableOptions{}, apierrors.NewBadRequest(fmt.Sprintf("Unable to convert to Table as requested: %v", errs[0]))
	}
	return TableOptions{include: o.IncludeObject, noHeaders: o.NoHeaders}, nil
}

// defaultColumns are the columns of a kind without its own.
var defaultColumns = []metav1.TableColumnDefinition{
	{Name: "Name", Type: "string", Format: "name", Description: metav1.ObjectMeta{}.SwaggerDoc()["name"]},
	{Name: "Created At", Type: "date", Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]},
}

// newTable returns a table without rows; it has columns unless they have been sent or are not
// wanted.
func (r *Resource) newTable(rep wire.Representation, opts *TableOptions) *metav1.Table {
	t := &metav1.Table{Rows: []metav1.TableRow{}}
	t.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.Version, Kind: "Table"})
	if !opts.noHeaders {
		switch {
		case r.Kind.Custom != nil:
			t.ColumnDefinitions = r.Kind.Custom.Columns()
		case r.Kind.Columns != nil:
			t.ColumnDefinitions = r.Kind.Columns
		default:
			t.ColumnDefinitions = defaultColumns
		}
	}
	return t
}

// cells returns the cells of an object.
func (r *Resource) cells(o object.Object) []any {
	if r.Kind.Row != nil && (r.Kind.Columns != nil || r.Kind.Custom != nil) {
		return r.Kind.Row(o, r.now())
	}
	return []any{o.GetName(), o.GetCreationTimestamp().UTC().Format(time.RFC3339)}
}

// appendRow appends the row of a version.
func (r *Resource) appendRow(dst []byte, rep wire.Representation, opts *TableOptions, v *object.Version) ([]byte, error) {
	o := r.Served(v)
	return appendRow(dst, r.cells(o), func(dst []byte) ([]byte, error) {
		switch opts.include {
		case metav1.IncludeNone:
			return append(dst, "null"...), nil
		case metav1.IncludeObject:
			return r.AppendObject(dst, rep, v)
		}
		if !r.AsStored(v) {
			doc, err := json.Marshal(Partial(o, rep))
			return append(dst, doc...), err
		}
		dst = append(dst, `{"kind":"PartialObjectMetadata","apiVersion":"`+metav1.GroupName+"/"+rep.Version+`","metadata":`...)
		return append(v.AppendMetadata(dst, rep.Bare), '}'), nil
	})
}

// appendRowOf appends the row of an object that is not a version.
func (r *Resource) appendRowOf(dst []byte, rep wire.Representation, opts *TableOptions, o object.Object) ([]byte, error) {
	return appendRow(dst, r.cells(o), func(dst []byte) ([]byte, error) {
		var shown any
		switch opts.include {
		case metav1.IncludeNone:
		case metav1.IncludeObject:
			shown = o
		default:
			shown = Partial(o, rep)
		}
		doc, err := json.Marshal(shown)
		return append(dst, doc...), err
	})
}

// appendRow appends a metav1.TableRow; the function object appends its object.
func appendRow(dst []byte, cells []any, object func([]byte) ([]byte, error)) ([]byte, error) {
	dst, err := appendCells(append(dst, `{"cells":`...), cells)
	if err != nil {
		return dst, err
	}
	dst, err = object(append(dst, `,"object":`...))
	return append(dst, '}'), err
}

// appendCells appends cells. It is optimized for short plain text.
func appendCells(dst []byte, cells []any) ([]byte, error) {
	dst = append(dst, '[')
	for i, cell := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch cell := cell.(type) {
		case string:
			if plainText(cell) {
				dst = append(append(append(dst, '"'), cell...), '"')
				continue
			}
		case int64:
			dst = strconv.AppendInt(dst, cell, 10)
			continue
		}
		doc, err := json.Marshal(cell)
		if err != nil {
			return dst, err
		}
		dst = append(dst, doc...)
	}
	return append(dst, ']'), nil
}

// plainText reports whether a text needs no escaping in JSON: "<none>" does.
func plainText(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}

// appendTableHead appends a table up to its first row; tableEnd follows the last.
func (r *Resource) appendTableHead(dst []byte, rep wire.Representation, opts *TableOptions, meta metav1.ListMeta) ([]byte, error) {
	t := r.newTable(rep, opts)
	t.ListMeta = meta
	doc, err := json.Marshal(t)
	return append(dst, bytes.TrimSuffix(doc, []byte(tableEnd))...), err
}

const tableEnd = "]}"

// writeTable sends a page as a table.
func (r *Resource) writeTable(w http.ResponseWriter, req *http.Request, rep wire.Representation, p *Page) error {
	opts, err := ReadTableOptions(req)
	if err != nil {
		return err
	}
	out := wire.NewAnswer(r.converter, w, req, rep, http.StatusOK)
	defer out.Free()
	if out.Buf.B, err = r.appendTableHead(out.Buf.B, rep, &opts, p.meta()); err != nil {
		return err
	}
	for i, v := range p.Versions {
		more, err := out.Item(i, func(dst []byte) ([]byte, error) { return r.appendRow(dst, rep, &opts, v) })
		if err != nil || !more {
			return err
		}
	}
	return out.End(tableEnd + "\n")
}

// appendTableOf appends the table of a single object.
func (r *Resource) appendTableOf(dst []byte, req *http.Request, rep wire.Representation, v *object.Version) ([]byte, error) {
	opts, err := ReadTableOptions(req)
	if err != nil {
		return dst, err
	}
	return r.AppendTableRow(dst, rep, &opts, v)
}

// AppendTableRow appends a table with one row. Columns are sent once: it records in the options
// that they have been.
func (r *Resource) AppendTableRow(dst []byte, rep wire.Representation, opts *TableOptions, v *object.Version) ([]byte, error) {
	return r.appendOneRow(dst, rep, opts, v.Revision, func(dst []byte) ([]byte, error) { return r.appendRow(dst, rep, opts, v) })
}

// TableBookmark returns a bookmark for a watch of tables: a row of an object that has only a
// resourceVersion.
func (r *Resource) TableBookmark(rep wire.Representation, opts *TableOptions, o object.Object) ([]byte, error) {
	rev := object.RevisionOf(o)
	carry := *opts
	if len(o.GetAnnotations()) > 0 {
		carry.include = metav1.IncludeMetadata
	}
	return r.appendOneRow(nil, rep, opts, rev, func(dst []byte) ([]byte, error) { return r.appendRowOf(dst, rep, &carry, o) })
}

func (r *Resource) appendOneRow(
	dst []byte, rep wire.Representation, opts *TableOptions, rev object.Revision, row func([]byte) ([]byte, error),
) ([]byte, error) {
	dst, err := r.appendTableHead(dst, rep, opts, metav1.ListMeta{ResourceVersion: rev.ResourceVersion()})
	if err != nil {
		return dst, err
	}
	dst, err = row(dst)
	opts.noHeaders = true
	return append(dst, tableEnd...), err
}
