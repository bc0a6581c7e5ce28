package serviceaccount

import "strings"

const (
	subjectPrefix = "system:serviceaccount:"
	allAccounts   = "system:serviceaccounts"
)

// Subject returns the user name of a ServiceAccount.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go, MakeUsername
func Subject(namespace, name string) string { return subjectPrefix + namespace + ":" + name }

// SplitSubject splits a user name; ok is false if it does not belong to a ServiceAccount.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go, SplitUsername
func SplitSubject(user string) (namespace, name string, ok bool) {
	rest, found := strings.CutPrefix(user, subjectPrefix)
	namespace, name, two := strings.Cut(rest, ":")
	ok = found && two && namespace != "" && name != "" && !strings.Contains(name, ":")
	return namespace, name, ok
}

// Groups returns the groups of the ServiceAccounts of a namespace.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go, MakeGroupNames
func Groups(namespace string) []string { return []string{allAccounts, allAccounts + ":" + namespace} }
