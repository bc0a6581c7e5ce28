package rbac

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/reconcile/clusterroleaggregation"
)

// The marks of the objects that every cluster begins with.
const (
	bootstrapLabel, bootstrapValue = "kubernetes.io/bootstrapping", "rbac-defaults"
	gatheredLabel                  = "rbac.authorization.k8s.io/aggregate-to-"
)

//go:embed bootstrap.txt
var bootstrapText string

// bootstrapped is read once, when it is first needed.
var bootstrapped = sync.OnceValue(func() []object.Object {
	all, err := readBootstrap(bootstrapText)
	if err != nil {
		panic(err) // bootstrap.txt is embedded in the program
	}
	return all
})

// Bootstrap returns the roles and bindings that every cluster begins with; each call makes new
// ones. Aggregated roles already have their rules.
//
// Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy
func Bootstrap() []object.Object {
	all := bootstrapped()
	made := make([]object.Object, 0, len(all))
	for _, o := range all {
		made = append(made, o.DeepCopyObject().(object.Object))
	}
	return made
}

// readBootstrap parses bootstrap.txt, whose head describes its format.
func readBootstrap(text string) (all []object.Object, err error) {
	var last object.Object
	for n, line := range strings.Split(text, "\n") {
		switch words := strings.Fields(line); {
		case len(words) == 0 || words[0] == "#":
		case strings.HasPrefix(line, "  "):
			err = addLine(last, words)
		default:
			if last, err = newBootstrapped(words); err == nil {
				all = append(all, last)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("bootstrap.txt: line %d: %w", n+1, err)
		}
	}
	var roles []*rbacv1.ClusterRole
	for _, o := range all {
		if role, ok := o.(*rbacv1.ClusterRole); ok {
			roles = append(roles, role)
		}
	}
	for _, update := range clusterroleaggregation.Reconcile(clusterroleaggregation.Snapshot{Roles: roles}).Updates {
		for _, role := range roles {
			if gathered := update.Object.(*rbacv1.ClusterRole); gathered.Name == role.Name {
				role.Rules = gathered.Rules
			}
		}
	}
	return all, nil
}

// newBootstrapped makes the object that a heading line begins.
func newBootstrapped(words []string) (object.Object, error) {
	if len(words) < 2 || len(words)%2 != 0 {
		return nil, fmt.Errorf("%d words", len(words))
	}
	namespace, name, found := strings.Cut(words[1], "/")
	if !found {
		namespace, name = "", words[1]
	}
	meta := metav1.ObjectMeta{
		Namespace: namespace, Name: name, Labels: map[string]string{bootstrapLabel: bootstrapValue},
		Annotations: map[string]string{rbacv1.AutoUpdateAnnotationKey: "true"},
	}
	of := name
	var from *rbacv1.AggregationRule
	for i := 2; i < len(words); i += 2 {
		switch words[i] {
		case "into":
			meta.Labels[gatheredLabel+words[i+1]] = "true"
		case "from":
			from = &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: map[string]string{gatheredLabel + words[i+1]: "true"}}}}
		case "of":
			of = words[i+1]
		default:
			return nil, fmt.Errorf("%q is not understood", words[i])
		}
	}
	switch words[0] {
	case "ClusterRole":
		return &rbacv1.ClusterRole{ObjectMeta: meta, AggregationRule: from}, nil
	case "Role":
		return &rbacv1.Role{ObjectMeta: meta}, nil
	case "ClusterRoleBinding":
		return &rbacv1.ClusterRoleBinding{ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: of}}, nil
	case "RoleBinding":
		return &rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: of}}, nil
	}
	return nil, fmt.Errorf("%q is not a kind", words[0])
}

// addLine adds a rule to a role, or a subject to a binding.
func addLine(to object.Object, words []string) error {
	if len(words)%2 != 0 && (len(words) != 3 || words[1] != "path") {
		return fmt.Errorf("%d words", len(words))
	}
	switch to := to.(type) {
	case *rbacv1.ClusterRole:
		r, err := ruleOf(words)
		to.Rules = append(to.Rules, r)
		return err
	case *rbacv1.Role:
		r, err := ruleOf(words)
		to.Rules = append(to.Rules, r)
		return err
	case *rbacv1.ClusterRoleBinding:
		to.Subjects = append(to.Subjects, subjectOf(words))
	case *rbacv1.RoleBinding:
		to.Subjects = append(to.Subjects, subjectOf(words))
	default:
		return fmt.Errorf("nothing has begun that %q is a part of", words)
	}
	return nil
}

var verbSets = map[string][]string{
	"read": {"get", "list", "watch"}, "write": {"create", "delete", "deletecollection", "patch", "update"},
	"read,write": {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
}

func ruleOf(words []string) (rbacv1.PolicyRule, error) {
	verbs := verbSets[words[0]]
	if verbs == nil {
		verbs = strings.Split(words[0], ",")
	}
	if words[1] == "path" {
		return rbacv1.PolicyRule{Verbs: verbs, NonResourceURLs: strings.Split(words[2], ",")}, nil
	}
	r := rbacv1.PolicyRule{Verbs: verbs, APIGroups: []string{""}, Resources: strings.Split(words[1], ",")}
	for i := 2; i < len(words); i += 2 {
		switch list := strings.Split(words[i+1], ","); words[i] {
		case "of":
			for i := range list {
				list[i] = strings.Trim(list[i], `"`)
			}
			r.APIGroups = list
		case "named":
			r.ResourceNames = list
		default:
			return r, fmt.Errorf("%q is not understood", words[i])
		}
	}
	return r, nil
}

func subjectOf(words []string) rbacv1.Subject {
	s := rbacv1.Subject{Kind: words[0], Name: words[1], APIGroup: rbacv1.GroupName}
	if s.Kind == rbacv1.ServiceAccountKind {
		s.APIGroup = ""
		s.Namespace, s.Name, _ = strings.Cut(words[1], "/")
	}
	return s
}
