package fieldmanager

import (
	_ "embed"
	"reflect"
	"slices"
	"strings"
	"sync"
)

//go:embed rules.txt
var rulesText string

// rules are the exceptions to the usual ownership, which is: lists as a whole, everything else by
// its parts. The key is the names of type and field, "-" for the type itself. TestRules keeps them
// in line with the schema.
var rules = sync.OnceValue(func() map[[2]string]string {
	out := map[[2]string]string{}
	for line := range strings.Lines(rulesText) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		field, rule, _ := strings.Cut(rest, " ")
		out[[2]string{name, field}] = rule
	}
	return out
})

// compiler makes plans.
type compiler struct {
	plans map[compiled]*plan
}

// compiled is what a plan is made for: a type, and what a field says about it.
type compiled struct {
	t    reflect.Type
	rule string
}

// root returns the plan of a kind's objects for a writer who cannot change the fields at some
// paths.
func (c *compiler) root(t reflect.Type, resets [][]string) *plan {
	p := *c.plan(t, "")
	p.fields = slices.Clone(p.fields)
	for i := range p.fields {
		f := &p.fields[i]
		f.skipped = f.name == "apiVersion" || f.name == "kind" || contains(resets, f.name)
		if f.name != "metadata" {
			continue
		}
		f.stripped = true
		meta := *f.plan
		meta.fields = slices.Clone(meta.fields)
		for j := range meta.fields {
			m := &meta.fields[j]
			m.skipped = contains(resets, f.name, m.name)
			m.stripped = slices.Contains(strippedMeta, m.name)
			m.hidden = m.name == "managedFields"
		}
		f.plan = &meta
	}
	return &p
}

func contains(paths [][]string, path ...string) bool {
	return slices.ContainsFunc(paths, func(p []string) bool { return slices.Equal(p, path) })
}

// strippedMeta is metadata that no manager owns.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/stripmeta.go, NewStripMetaManager
var strippedMeta = []string{"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields", "resourceVersion"}

func (c *compiler) plan(t reflect.Type, rule string) *plan {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	key := compiled{t, rule}
	if p := c.plans[key]; p != nil {
		return p
	}
	p := &plan{}
	c.plans[key] = p // before its parts, which may contain it
	switch {
	case isScalar(t):
	case marshals(t):
		p.shape = odd
	case t.Kind() == reflect.Struct:
		c.structure(p, t, rule)
	case t.Kind() == reflect.Map:
		p.shape = mapping
		if rule == "atomic" {
			p.shape = leaf
		} else {
			p.elem = c.plan(t.Elem(), "")
		}
	case t.Kind() == reflect.Slice:
		c.list(p, t, rule)
	default:
		p.shape = odd
	}
	p.equal = equalityOf(t)
	return p
}

func (c *compiler) structure(p *plan, t reflect.Type, rule string) {
	name := modelName(t)
	if rule == "" {
		rule = rules()[[2]string{name, "-"}]
	}
	switch rule {
	case "atomic":
		return
	case "free":
		p.shape = odd
		return
	}
	p.shape = record
	for _, f := range jsonFields(t) {
		f.plan = c.plan(fieldType(t, f.index), rules()[[2]string{name, f.name}])
		p.fields = append(p.fields, f)
	}
}

func (c *compiler) list(p *plan, t reflect.Type, rule string) {
	words := strings.Fields(rule)
	if t.Elem().Kind() == reflect.Uint8 || len(words) == 0 {
		return // a leaf
	}
	switch words[0] {
	case "set":
		p.shape = set
	case "keys":
		p.shape = keyed
		p.elem = c.plan(t.Elem(), "")
		fields := jsonFields(t.Elem())
		for _, f := range fields {
			f.plan = c.plan(fieldType(t.Elem(), f.index), "")
			for _, word := range words[1:] {
				if name, missing, _ := strings.Cut(word, "="); name == f.name {
					p.keys = append(p.keys, planKey{name: name, field: &f, missing: strings.ReplaceAll(missing, `"`, `\"`)})
				}
			}
		}
	}
}

// modelName returns the schema's name of a Go type.
func modelName(t reflect.Type) string {
	if m, ok := reflect.New(t).Interface().(interface{ OpenAPIModelName() string }); ok {
		return m.OpenAPIModelName()
	}
	return t.PkgPath() + "." + t.Name()
}
