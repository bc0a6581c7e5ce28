package auth

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

const (
	nodePrefix = "system:node:"
	nodesGroup = "system:nodes"
	// manyChecks is the number of groups or values from which a constrained mode first checks the
	// right to impersonate all of them.
	manyChecks = 4

	associatedNode = "associated-node"
)

// impersonationMode is one way to impersonate a user. name is part of the verbs that it requires;
// "" is the legacy mode, which is not constrained to certain requests and requires only the verb
// "impersonate".
type impersonationMode struct {
	name    string
	applies func(as, requestor *User) bool // whether the mode can impersonate such a user
}

// impersonationModes lists the modes in the order in which they are tried.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go, allImpersonationModes
var impersonationModes = [...]impersonationMode{
	{associatedNode, func(as, requestor *User) bool {
		node, is := nodeOf(as.Name)
		_, _, account := serviceaccount.SplitSubject(requestor.Name)
		on := requestor.Extra[serviceaccount.ExtraNodeName]
		return is && onlyNamed(as) && account && len(on) == 1 && on[0] == node
	}},
	{"arbitrary-node", func(as, _ *User) bool {
		_, is := nodeOf(as.Name)
		return is && onlyNamed(as)
	}},
	{"serviceaccount", func(as, _ *User) bool {
		_, _, is := serviceaccount.SplitSubject(as.Name)
		return is && onlyNamed(as)
	}},
	{"user-info", func(as, _ *User) bool {
		_, node := nodeOf(as.Name)
		_, _, account := serviceaccount.SplitSubject(as.Name)
		return !node && !account
	}},
	{"", func(_, _ *User) bool { return true }},
}

// nodeOf returns the node of a user name; false if the name is not a node's.
func nodeOf(user string) (string, bool) {
	name, is := strings.CutPrefix(user, nodePrefix)
	return name, is && len(validation.NameIsDNSSubdomain(name, false)) == 0
}

func onlyNamed(as *User) bool { return as.UID == "" && len(as.Groups) == 0 && len(as.Extra) == 0 }

// impersonation is an attempt of u to impersonate the user as in one mode.
type impersonation struct {
	by    Authorizer
	u, as *User
	mode  string
}

// carryOut returns the impersonated user, or the reason for refusing. A constrained mode also
// requires the right to do the request itself in that mode.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go,
// constrainedImpersonationModeState.check and impersonationModeState.check
func (i impersonation) carryOut(about Attributes) (*User, error) {
	if i.mode != "" {
		about.Verb = "impersonate-on:" + i.mode + ":" + about.Verb
		if err := Check(i.by, i.u, about); err != nil {
			return nil, err
		}
	}
	to := *i.as
	for _, judge := range [...]func(*User) error{i.judgeName, i.judgeUID, i.judgeGroups, i.judgeExtra} {
		if err := judge(&to); err != nil {
			return nil, err
		}
	}
	switch {
	case to.Name == AnonymousName && !to.In(Unauthenticated):
		to.Groups = append(slices.Clip(to.Groups), Unauthenticated)
	case to.Name != AnonymousName && !to.In(Unauthenticated):
		return authenticated(&to), nil
	}
	return &to, nil
}

// verb returns the verb that u needs on the user, its groups, and so on.
func (i impersonation) verb() string {
	if i.mode == "" {
		return "impersonate"
	}
	return "impersonate:" + i.mode
}

// needed returns the attributes that u must be allowed for a part of the user. In the legacy mode,
// users and groups have no API group.
func (i impersonation) needed(resource, name string) Attributes {
	a := Attributes{Verb: i.verb(), Group: authenticationv1.GroupName, Version: "v1", Resource: resource, Name: name}
	if i.mode == "" && (resource == "users" || resource == "groups" || resource == "serviceaccounts") {
		a.Group = ""
	}
	return a
}

// judgeName checks the name, and adds the groups of nodes and service accounts.
func (i impersonation) judgeName(to *User) error {
	about := i.needed("users", i.as.Name)
	if node, is := nodeOf(i.as.Name); is && i.mode != "" {
		about = i.needed("nodes", node)
		if i.mode == associatedNode {
			about.Name = "*" // "*" means any node that the requestor may run on
		}
		to.Groups = []string{nodesGroup}
	}
	if namespace, name, is := serviceaccount.SplitSubject(i.as.Name); is {
		about = i.needed("serviceaccounts", name)
		about.Namespace = namespace
		if len(to.Groups) == 0 {
			to.Groups = serviceaccount.Groups(namespace)
		}
	}
	return Check(i.by, i.u, about)
}

func (i impersonation) judgeUID(*User) error {
	if i.as.UID == "" {
		return nil
	}
	return Check(i.by, i.u, i.needed("uids", i.as.UID))
}

func (i impersonation) judgeGroups(*User) error {
	about := i.needed("groups", "")
	if i.mode != "" {
		if slices.Contains(i.as.Groups, "") {
			return forbidden(i.u, about, "impersonating the empty string group is not allowed")
		}
		if about.Name = Masters; i.as.In(Masters) {
			return forbidden(i.u, about, "impersonating the system:masters group is not allowed")
		}
		if about.Name = "*"; len(i.as.Groups) >= manyChecks && i.by.Allows(i.u, about) {
			return nil
		}
	}
	for _, about.Name = range i.as.Groups {
		if err := Check(i.by, i.u, about); err != nil {
			return err
		}
	}
	return nil
}

func (i impersonation) judgeExtra(*User) error {
	about := i.needed("userextras", "")
	if i.mode != "" {
		if err := validateExtra(i.as.Extra); err != nil {
			return forbidden(i.u, about, err.Error())
		}
		values := 0
		for _, of := range i.as.Extra {
			values += len(of)
		}
		if about.Subresource, about.Name = "*", "*"; values >= manyChecks && i.by.Allows(i.u, about) {
			return nil
		}
	}
	for _, about.Subresource = range slices.Sorted(maps.Keys(i.as.Extra)) {
		for _, about.Name = range i.as.Extra[about.Subresource] {
			if err := Check(i.by, i.u, about); err != nil {
				return err
			}
		}
	}
	return nil
}

// validateExtra validates the extra fields that a constrained mode may set. Every key has values.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/impersonation/mode.go, validateExtra
func validateExtra(extra map[string][]string) error {
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		if key == "" {
			return errors.New("impersonating the empty string key in extra is not allowed")
		}
		if err := utilvalidation.IsDomainPrefixedPath(field.NewPath("extra", "key"), key).ToAggregate(); err != nil {
			return fmt.Errorf("impersonating an invalid key in extra is not allowed: %w", err)
		}
		if key != strings.ToLower(key) {
			return fmt.Errorf("impersonating a non-lowercase key in extra is not allowed: %q", key)
		}
		if slices.Contains(extra[key], "") {
			return errors.New("impersonating the empty string value in extra is not allowed")
		}
	}
	return nil
}
