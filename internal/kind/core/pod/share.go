package pod

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/object"
)

// The specs of Pods made from one template differ only in the node. What they have in common is in
// memory once, as a template of the stored specs.

// parts decode what Pods share.
var parts = json.JoinUnmarshalers(json.UnmarshalFromFunc(decodeSpec), json.UnmarshalFromFunc(resources.decode),
	json.UnmarshalFromFunc(texts.decode), json.UnmarshalFromFunc(owners.decode), json.UnmarshalFromFunc(conditions.decode))

// share lets a Pod that this process has made refer to what others do. What it has in common with
// the Pods of its template is shared when it is new, and later versions inherit that.
func share(o object.Object, body []byte) {
	p := o.(*corev1.Pod)
	spec, rest := specOf(body)
	if spec == nil {
		return
	}
	if len(p.Status.Conditions) > 0 {
		conditions.share(valueOf(rest, `"conditions":[`), &p.Status.Conditions)
	}
	if p.Spec.NodeName != "" {
		return
	}
	if len(p.Labels) > 0 {
		texts.share(valueOf(body, `"labels":{`), &p.Labels)
	}
	if len(p.OwnerReferences) > 0 {
		owners.share(valueOf(body, `"ownerReferences":[`), &p.OwnerReferences)
	}
	s := split(spec)
	if t := known(s); t != nil {
		t.fill(&p.Spec, s)
	} else {
		keep(&p.Spec, s)
	}
}

// specOf returns the JSON of the spec in the body of a Pod, and what follows it; nil if the spec is
// not where it should be.
func specOf(body []byte) (spec, rest []byte) {
	spec, ok := bytes.CutPrefix(object.AfterMetadata(body), []byte(`,"spec":`))
	end := object.EndOfValue(spec, len("{"))
	if !ok || end < 0 {
		return nil, nil
	}
	return spec[:end+1], spec[end+1:]
}

// valueOf returns the JSON of the object or list at the first occurrence of a key, which is given
// up to the opening brace or bracket, as in `"labels":{`. It returns nil if the key does not occur.
// Quotes inside texts are escaped, so no text contains a key.
func valueOf(doc []byte, key string) []byte {
	begin := bytes.Index(doc, []byte(key))
	if begin < 0 {
		return nil
	}
	value := doc[begin+len(key)-1:]
	end := object.EndOfValue(value, 1)
	if end < 0 {
		return nil
	}
	return value[:end+1]
}

// decodeSpec decodes a spec, or what differs if the rest is known.
func decodeSpec(d *jsontext.Decoder, spec *corev1.PodSpec) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	s := split(value)
	if t := known(s); t != nil {
		t.fill(spec, s)
		return nil
	}
	if err := json.Unmarshal(value, spec, decodingSpec); err != nil {
		return err
	}
	keep(spec, s)
	return nil
}

var decodingSpec = json.JoinOptions(object.Decoding, json.WithUnmarshalers(json.UnmarshalFromFunc(resources.decode)))

// splitSpec is the JSON of a spec in two parts.
type splitSpec struct {
	common []byte // with a NUL, which JSON cannot contain, in place of the node's name
	node   string // the node's name; empty without one
	hash   uint64 // of common
}

// maxSpec is the size in bytes of the largest JSON of a spec that is shared.
const maxSpec = 16 << 10

var hashSeed = maphash.MakeSeed()

// split takes the node's name out of a spec's JSON. The result has nothing in common if the spec is
// large, or if it is not clear where the name is.
func split(spec []byte) splitSpec {
	const key = `"nodeName":"`
	if len(spec) > maxSpec {
		return splitSpec{}
	}
	s := splitSpec{common: spec}
	if before, after, found := bytes.Cut(spec, []byte(key)); found {
		name, after, ended := bytes.Cut(after, []byte(`"`))
		// An empty name is never the node's, which would be left out: it is a label's value.
		if !ended || len(name) == 0 || bytes.IndexByte(name, '\\') >= 0 || bytes.Contains(after, []byte(key)) {
			return splitSpec{}
		}
		s.node = string(name)
		s.common = slices.Concat(before, []byte{0}, after)
	}
	s.hash = maphash.Bytes(hashSeed, s.common)
	return s
}

// templates are those recently made, by the hash of what is common.
var templates = make(object.Recent[template], 1024)

// template is a spec and what it refers to.
type template struct {
	splitSpec
	spec corev1.PodSpec
	// context is what the specs of all Pods of the template point to, which keeps it alive.
	context corev1.PodSecurityContext
}

// known returns the template with the same common part, or nil.
func known(s splitSpec) *template {
	if s.common == nil {
		return nil
	}
	if t := templates.At(s.hash); t != nil && bytes.Equal(t.common, s.common) {
		return t
	}
	return nil
}

// keep makes a template of a spec, unless the node's name is in another place than fill changes. The
// spec becomes the first one that refers to it.
func keep(spec *corev1.PodSpec, s splitSpec) {
	if s.common == nil || spec.SecurityContext == nil || spec.NodeName != s.node {
		return
	}
	s.common = bytes.Clone(s.common)
	t := &template{splitSpec: s, context: *spec.SecurityContext}
	spec.SecurityContext = &t.context
	t.spec = *spec
	templates.Keep(s.hash, t)
}

// fill makes a spec that shares what the template has in common with it.
func (t *template) fill(spec *corev1.PodSpec, s splitSpec) {
	*spec = t.spec
	spec.NodeName = s.node
}
