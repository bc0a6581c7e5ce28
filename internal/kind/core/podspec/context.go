package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// Validation of what Pods and templates have in common. Upstream lets an update keep what an older
// release accepted; nothing of that sort is ever stored here, so that every spec is judged by the
// rules of v1.36 alone.

// Context is what the judgement of one part of a Pod needs to know of the others.
type Context struct {
	isPod         bool // false within a template
	volumes       map[string]corev1.VolumeSource
	claims        sets.Set[string] // names in spec.resourceClaims
	claimsNotice  string           // says which claims there are
	grace         *int64           // spec.terminationGracePeriodSeconds
	restartPolicy corev1.RestartPolicy
	hostUsers     bool
}
