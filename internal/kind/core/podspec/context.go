package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// Validation of what Pods and templates have in common. Upstream lets an update keep what an older
// release accepted. Rowlock has no such objects, so it validates every spec by the rules of v1.36.

// Context holds what the validation of one part of a Pod needs to know about others.
type Context struct {
	isPod         bool // false within a template
	volumes       map[string]corev1.VolumeSource
	claims        sets.Set[string] // names in spec.resourceClaims
	claimsNotice  string           // lists the claims for errors
	grace         *int64           // spec.terminationGracePeriodSeconds
	restartPolicy corev1.RestartPolicy
	hostUsers     bool
}
