package kube

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/internal/object"
)

// tableOptions say what the rows of a table carry besides their cells.
type tableOptions struct {
	include   metav1.IncludeObjectPolicy
	noHeaders bool
}

// readTableOptions reads the table's options from the query.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/handlers/response.go, optionsForTransform
func readTableOptions(req *http.Request) (tableOptions, error) {
	var o metav1.TableOptions
	if err := decodeQuery(req, &o); err != nil {
		return tableOptions{}, err
	}
	if errs := metavalidation.ValidateTableOptions(&o); len(errs) > 0 {
		return tableOptions{}, apierrors.NewBadRequest(fmt.Sprintf("Unable to convert to Table as requested: %v", errs[0]))
	}
	return tableOptions{include: o.IncludeObject, noHeaders: o.NoHeaders}, nil
}

// defaultColumns are those of a kind that names none.
var defaultColumns = []metav1.TableColumnDefinition{
	{Name: "Name", Type: "string", Format: "name", Description: metav1.ObjectMeta{}.SwaggerDoc()["name"]},
	{Name: "Created At", Type: "date", Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"]},
}

// newTable is a table without rows; it has columns unless they have been sent or are not wanted.
func (r *resource) newTable(rep representation, opts *tableOptions) *metav1.Table {
	t := &metav1.Table{Rows: []metav1.TableRow{}}
	t.SetGroupVersionKind(schema.GroupVersionKind{Group: metav1.GroupName, Version: rep.version, Kind: "Table"})
	if !opts.noHeaders {
		t.ColumnDefinitions = r.kind.Columns
		if r.kind.Columns == nil {
			t.ColumnDefinitions = defaultColumns
		}
	}
	return t
}

// row prints one object. whole gives the object's own JSON and is asked only if the row carries the object.
func (r *resource) row(rep representation, opts *tableOptions, o object.Object, whole func() ([]byte, error)) (metav1.TableRow, error) {
	var row metav1.TableRow
	if r.kind.Row != nil && r.kind.Columns != nil {
		row.Cells = r.kind.Row(o, r.Now())
	} else {
		row.Cells = []any{o.GetName(), o.GetCreationTimestamp().UTC().Format(time.RFC3339)}
	}
	var doc []byte
	var err error
	switch opts.include {
	case metav1.IncludeNone:
		return row, nil
	case metav1.IncludeObject:
		doc, err = whole()
	default:
		doc, err = json.Marshal(partialOf(o, rep.version))
	}
	row.Object = runtime.RawExtension{Raw: doc}
	return row, err
}

func (r *resource) versionRow(rep representation, opts *tableOptions, v *object.Version) (metav1.TableRow, error) {
	return r.row(rep, opts, r.served(v), func() ([]byte, error) { return r.appendObject(nil, v) })
}

// writeTable sends a page as a table.
func (r *resource) writeTable(w http.ResponseWriter, req *http.Request, rep representation, p *page) error {
	opts, err := readTableOptions(req)
	if err != nil {
		return err
	}
	t := r.newTable(rep, &opts)
	t.ResourceVersion, t.Continue, t.RemainingItemCount = p.revision.ResourceVersion(), p.next, p.remaining
	t.Rows = make([]metav1.TableRow, len(p.versions))
	for i, v := range p.versions {
		if t.Rows[i], err = r.versionRow(rep, &opts, v); err != nil {
			return err
		}
	}
	return writeValue(w, rep, http.StatusOK, t)
}

// appendTableOf appends the table of a single object.
func (r *resource) appendTableOf(dst []byte, req *http.Request, rep representation, v *object.Version) ([]byte, error) {
	opts, err := readTableOptions(req)
	if err != nil {
		return dst, err
	}
	return r.appendTableRow(dst, rep, &opts, v)
}

// appendTableRow appends a table of one row. Columns are sent once: it takes note in the options that they were.
func (r *resource) appendTableRow(dst []byte, rep representation, opts *tableOptions, v *object.Version) ([]byte, error) {
	row, err := r.versionRow(rep, opts, v)
	if err != nil {
		return dst, err
	}
	doc, err := r.oneRow(rep, opts, row, v.Revision)
	return append(dst, doc...), err
}

// tableBookmark is a bookmark in a watch of tables: a row for an object that has nothing but a resourceVersion.
func (r *resource) tableBookmark(rep representation, opts *tableOptions, o object.Object) ([]byte, error) {
	rev := object.RevisionOf(o)
	carry := *opts
	if len(o.GetAnnotations()) > 0 {
		carry.include = metav1.IncludeMetadata
	}
	row, err := r.row(rep, &carry, o, func() ([]byte, error) { return json.Marshal(o) })
	if err != nil {
		return nil, err
	}
	return r.oneRow(rep, opts, row, rev)
}

func (r *resource) oneRow(rep representation, opts *tableOptions, row metav1.TableRow, rev object.Revision) ([]byte, error) {
	t := r.newTable(rep, opts)
	t.ResourceVersion = rev.ResourceVersion()
	t.Rows = append(t.Rows, row)
	opts.noHeaders = true
	return json.Marshal(t)
}
