package wire

import (
	"fmt"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// The libraries that apply patches take time quadratic in the length of lists. These limits
// correspond to a third to half a second of CPU time, and are checked before a patch is applied.
const (
	// maxStrategicWork limits the sum, over all lists that a strategic merge patch merges, of the
	// squared number of the list's entries in the patch and in the object: one list may have 2,000.
	maxStrategicWork = 4_000_000
	// maxOperationWork limits the number of JSON patch operations that may move entries of a list,
	// times the length that the longest list may reach.
	maxOperationWork = 60_000_000
)

// Errors for patches that would take too long.
//
// Differs: upstream has no such limits.
var (
	errStrategicWork = apierrors.NewRequestEntityTooLargeError("a strategic merge patch cannot merge lists of so many entries: " +
		"a list may have about 2000 in the patch and in the object together; use another type of patch, or an update")
	errOperationWork = apierrors.NewRequestEntityTooLargeError("too many operations of the JSON patch may move the entries of too long a list: " +
		"use fewer operations, or an update")
)

// CheckStrategic rejects a strategic merge patch that would take too long to apply to the document
// of into.
func CheckStrategic(original, change map[string]any, into runtime.Object) error {
	schema, err := strategicpatch.NewPatchMetaFromStruct(into)
	if err != nil {
		return err
	}
	w := strategicWork{longest: map[string]int{}, merged: map[string]int{}, lists: map[string]int{}}
	w.measure("", original)
	w.visit(change, schema)
	if w.total() > maxStrategicWork {
		return errStrategicWork
	}
	return nil
}

// strategicWork estimates the cost of merging a patch. It identifies lists by field name only: to
// match a nested list with that of the right object, it would have to do the merge.
type strategicWork struct {
	longest map[string]int // length of the object's longest list, by field
	merged  map[string]int // total entries of the patch's lists, by field, including $setElementOrder and the like
	lists   map[string]int // number of these lists
	alone   int            // cost if each is merged into a different list
	// repeated is true if a list has a merge key twice: then one list of the object may be merged
	// with many of the patch.
	repeated bool
}

// measure records the lengths of the lists of a document.
func (w *strategicWork) measure(name string, doc any) {
	switch doc := doc.(type) {
	case map[string]any:
		for k, v := range doc {
			w.measure(k, v)
		}
	case []any:
		w.longest[name] = max(w.longest[name], len(doc))
		for _, v := range doc {
			w.measure("", v)
		}
	}
}

// visit records the merged lists of a patch. schema is nil if unknown.
func (w *strategicWork) visit(patch map[string]any, schema strategicpatch.LookupPatchMeta) {
	for key, value := range patch {
		name := key
		if strings.HasPrefix(key, "$") {
			if _, field, ok := strings.Cut(key, "/"); ok {
				name = field // of a directive such as $setElementOrder/containers
			}
		}
		switch value := value.(type) {
		case map[string]any:
			w.visit(value, structSchema(schema, name))
		case []any:
			w.visitList(name, value, schema)
		}
	}
}

// visitList records one list of a patch, unless it replaces the object's.
func (w *strategicWork) visitList(name string, list []any, schema strategicpatch.LookupPatchMeta) {
	var of strategicpatch.LookupPatchMeta
	mergeKey := ""
	if schema != nil {
		found, meta, err := schema.LookupPatchMetadataForSlice(name)
		if err == nil {
			if strategies := sets.New(meta.GetPatchStrategies()...); !strategies.Has("merge") {
				return
			}
			of, mergeKey = found, meta.GetPatchMergeKey()
		}
	}
	n := len(list) + w.longest[name]
	w.alone += n * n
	w.merged[name] += len(list)
	w.lists[name]++
	if w.alone > maxStrategicWork {
		return
	}
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		fields, ok := item.(map[string]any)
		if !ok {
			continue
		}
		key := fmt.Sprint(fields[mergeKey])
		w.repeated = w.repeated || seen[key]
		seen[key] = true
		w.visit(fields, of)
	}
}

func structSchema(schema strategicpatch.LookupPatchMeta, name string) strategicpatch.LookupPatchMeta {
	if schema == nil {
		return nil
	}
	found, _, err := schema.LookupPatchMetadataForStruct(name)
	if err != nil {
		return nil
	}
	return found
}

// total returns the maximum cost of the merge.
func (w *strategicWork) total() int {
	if !w.repeated {
		return w.alone
	}
	total := 0
	for name, lists := range w.lists {
		n := w.merged[name] + w.longest[name]
		total += lists * n * n
	}
	return total
}

// CheckOperations rejects a JSON patch that would take too long to apply to the document.
func CheckOperations(ops jsonpatch.Patch, doc []byte) error {
	moving := 0
	for _, op := range ops {
		switch op.Kind() {
		case "add", "remove", "move", "copy":
			moving++
		}
	}
	longest := len(doc) / 2 // each entry takes at least two bytes
	if moving*(longest+moving) <= maxOperationWork {
		return nil
	}
	longest = longestList(doc)
	for _, op := range ops {
		if value := op["value"]; value != nil {
			longest = max(longest, longestList(*value))
		}
	}
	if moving*(longest+moving/2) > maxOperationWork {
		return errOperationWork
	}
	return nil
}

// longestList returns the length of the longest list of a JSON document, which need not be valid.
func longestList(doc []byte) int {
	longest, quoted := 0, false
	var open []int // entries of the open lists so far; -1 for maps
	for i := 0; i < len(doc); i++ {
		c := doc[i]
		switch {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
			continue
		case c == '"':
			quoted = true
		case c == '{':
			open = append(open, -1)
		case c == '[':
			open = append(open, 1)
			longest = max(longest, 1)
		case len(open) == 0:
		case c == '}' || c == ']':
			open = open[:len(open)-1]
		case c == ',' && open[len(open)-1] > 0:
			open[len(open)-1]++
			longest = max(longest, open[len(open)-1])
		}
	}
	return longest
}
