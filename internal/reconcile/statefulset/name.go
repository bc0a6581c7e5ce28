package statefulset

import (
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// podName is, for example, "web-0" (STS-002).
func podName(set *appsv1.StatefulSet, ordinal int) string {
	return set.Name + "-" + strconv.Itoa(ordinal)
}

// claimName is, for example, "www-web-0" (STS-011).
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, getPersistentVolumeClaimName
func claimName(set *appsv1.StatefulSet, template *corev1.PersistentVolumeClaim, ordinal int) string {
	return template.Name + "-" + set.Name + "-" + strconv.Itoa(ordinal)
}

// parentAndOrdinal splits "web-10" into "web" and 10. The ordinal is -1 if the name does not end in
// one.
//
// Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_utils.go, getParentNameAndOrdinal
// Differs: upstream parses "web-01" as ordinal 1, and then fails to rename the Pod; here it has no
// ordinal and is left alone.
func parentAndOrdinal(name string) (parent string, ordinal int) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 0 || dash == len(name)-1 {
		return "", -1
	}
	digits := name[dash+1:]
	if strings.Trim(digits, "0123456789") != "" {
		return "", -1
	}
	n, err := strconv.Atoi(digits)
	if err != nil || digits[0] == '0' && len(digits) > 1 {
		return name[:dash], -1
	}
	return name[:dash], n
}
