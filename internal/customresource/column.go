package customresource

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/util/jsonpath"
)

// column is one column of the table, except the name.
type column struct {
	definition metav1.TableColumnDefinition
	template   string // "" if all cells are empty
}

// age is the default column of a version without additionalPrinterColumns.
var age = apiextensionsv1.CustomResourceColumnDefinition{
	Name: "Age", Type: "date", Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"], JSONPath: ".metadata.creationTimestamp",
}

// parseColumns parses the columns of a version. As upstream, it stops at the first path that does
// not parse.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor/tableconvertor.go, New
func parseColumns(all []apiextensionsv1.CustomResourceColumnDefinition) (columns []column) {
	if len(all) == 0 {
		all = []apiextensionsv1.CustomResourceColumnDefinition{age}
	}
	for _, c := range all {
		template := "{" + c.JSONPath + "}"
		parsed, err := jsonpath.Parse(c.Name, template)
		if err != nil {
			return columns
		}
		if strings.ContainsAny(c.JSONPath, "{}") || repeats(parsed.Root) > maxRepeats {
			template = ""
		}
		description := c.Description
		if description == "" {
			description = "Custom resource definition column (in JSONPath format): " + c.JSONPath
		}
		columns = append(columns, column{metav1.TableColumnDefinition{
			Name: c.Name, Type: c.Type, Format: c.Format, Description: description, Priority: c.Priority,
		}, template})
	}
	return columns
}

// maxRepeats limits how often a path may reach the same value. The paths of real columns reach it
// once.
//
// Differs: upstream has no such bound: a path of 300 bytes can keep it busy for hours.
const maxRepeats = 64

// repeats estimates how often a path reaches the same value. A union may name a value several
// times, and a recursive descent finds it again from each of its ancestors.
func repeats(list *jsonpath.ListNode) int {
	n := 1
	if list == nil {
		return n
	}
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *jsonpath.RecursiveNode:
			n *= maxRepeats/2 + 1 // one descent is allowed, two are not
		case *jsonpath.UnionNode:
			sum := 0
			for _, part := range node.Nodes {
				sum += repeats(part)
			}
			n *= sum
		case *jsonpath.FilterNode:
			n *= max(repeats(node.Left), repeats(node.Right))
		case *jsonpath.ListNode:
			n *= repeats(node)
		}
		n = min(n, maxRepeats+1)
	}
	return n
}

// Columns returns the columns of the version's table: the name, then additionalPrinterColumns, or
// the age if there are none.
func (v *Version) Columns() []metav1.TableColumnDefinition {
	all := []metav1.TableColumnDefinition{{Name: "Name", Type: "string", Format: "name", Description: metav1.ObjectMeta{}.SwaggerDoc()["name"]}}
	for _, c := range v.columns() {
		all = append(all, c.definition)
	}
	return all
}

// Row returns an object's row in the version's table, with a cell for each of Columns. A path that
// finds no value, or one of another type, gives an empty cell. now is the cluster time.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor/tableconvertor.go, ConvertToTable
func (v *Version) Row(u *unstructured.Unstructured, now time.Time) []any {
	cells := []any{u.GetName()}
	for _, c := range v.columns() {
		cells = append(cells, c.cell(u.Object, now))
	}
	return cells
}

// cell returns the cell of an object.
func (c column) cell(object map[string]any, now time.Time) any {
	path := jsonpath.New(c.definition.Name).AllowMissingKeys(true) // not shared: evaluation changes it
	if c.template == "" || path.Parse(c.template) != nil {
		return nil
	}
	results, err := path.FindResults(object)
	if err != nil || len(results) == 0 || len(results[0]) == 0 {
		return nil
	}
	value := results[0][0].Interface()
	if c.definition.Type == "string" {
		var text bytes.Buffer
		if path.PrintResults(&text, []reflect.Value{reflect.ValueOf(value)}) != nil {
			return nil
		}
		return text.String()
	}
	return cellOf(c.definition.Type, value, now)
}

// cellOf formats a value for a column whose type is not string.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor/tableconvertor.go, cellForJSONValue
func cellOf(columnType string, value any, now time.Time) any {
	switch columnType {
	case "integer":
		switch n := value.(type) {
		case int64:
			return n
		case float64:
			return int64(n)
		case json.Number:
			if i, err := n.Int64(); err == nil {
				return i
			}
		}
	case "number":
		switch n := value.(type) {
		case int64:
			return float64(n)
		case float64:
			return n
		case json.Number:
			if f, err := n.Float64(); err == nil {
				return f
			}
		}
	case "boolean":
		if b, ok := value.(bool); ok {
			return b
		}
	case "date":
		if text, ok := value.(string); ok {
			return since(text, now)
		}
	}
	return nil
}

// since formats the time elapsed since an RFC 3339 time.
func since(text string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, text)
	switch {
	case text == "" || text == "null":
		return "<unknown>"
	case err != nil:
		return "<invalid>"
	case at.IsZero():
		return "<unknown>"
	}
	return duration.HumanDuration(now.Sub(at))
}
