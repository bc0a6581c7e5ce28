package history

import (
	"fmt"

	"github.com/rowlock/rowlock/internal/kind/apiextensions"
	builtinkind "github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
)

// Definitions checks custom resources at every revision: each is written under a definition that
// exists and, on creation, is not being deleted. A definition is removed only when none of its
// objects is left.
func Definitions(h History) []Violation {
	var found []Violation
	builtin := builtinkind.Catalogue()
	defined := map[string]object.Object{}     // by resource
	there := map[string]map[object.Key]bool{} // by resource
	for _, e := range h {
		wrong := func(format string, args ...any) {
			found = append(found, Violation{e.Revision, e.Key, fmt.Sprintf(format, args...)})
		}
		resource := e.Key.Resource
		switch {
		case resource == apiextensions.CustomResourceDefinition.Resource() && e.Verb == object.Deleted:
			if left := len(there[e.Key.Name]); left > 0 {
				wrong("goes while %d of its objects are there", left)
			}
			delete(defined, e.Key.Name)
		case resource == apiextensions.CustomResourceDefinition.Resource():
			defined[e.Key.Name] = e.Object
		case builtin.ByResource(resource) != nil:
		default:
			switch d := defined[resource]; {
			case d == nil:
				wrong("%s without a definition", e.Verb)
			case e.Verb == object.Created && d.GetDeletionTimestamp() != nil:
				wrong("created while its definition is being deleted")
			}
			if there[resource] == nil {
				there[resource] = map[object.Key]bool{}
			}
			if there[resource][e.Key] = true; e.Verb == object.Deleted {
				delete(there[resource], e.Key)
			}
		}
	}
	return found
}
