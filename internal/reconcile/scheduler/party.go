package scheduler

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// party is the properties of a Pod that matter to the affinity and the spread of other Pods.
type party struct {
	namespace string
	labels    map[string]string
	going     bool // it is being deleted
	terms     *terms
}

func newParty(pod *corev1.Pod) party {
	return party{namespace: pod.Namespace, labels: pod.Labels, going: pod.DeletionTimestamp != nil, terms: termsOf(pod)}
}

// key is equal for parties that are equal.
func (p party) key() string {
	var b strings.Builder
	b.WriteString(p.namespace)
	if p.going {
		b.WriteString("\x00going")
	}
	var few [8]string
	keys := few[:0]
	for k := range p.labels {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		b.WriteByte(0)
		b.WriteString(k)
		b.WriteByte('=')
		b.WriteString(p.labels[k])
	}
	if p.terms != nil {
		b.WriteString("\x00\x00")
		b.WriteString(p.terms.text)
	}
	return b.String()
}
