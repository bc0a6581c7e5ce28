package archtest

import (
	"fmt"
	"strings"
)

// engineRoot is the package that runs controllers, and engineImports how many of our packages it
// may import; those of kinds count as one.
const engineRoot, engineImports = "internal/engine", 11

// engineAlone lists what makes the engine depend on a kind of object, or on more of our packages
// than a reader can keep in mind.
func engineAlone(s sources) (broken []string) {
	ours := map[string]bool{}
	for _, f := range s.files {
		if f.test || f.dir != engineRoot {
			continue
		}
		for name, spec := range f.imports() {
			if strings.HasPrefix(name, "k8s.io/api/") || within(name, module+"internal/controller") || within(name, module+"internal/reconcile") {
				broken = append(broken, fmt.Sprintf("%s: %s", f.at(spec.Pos()), strings.TrimPrefix(name, module)))
			}
			if within(name, module+"internal/kind") {
				name = module + "internal/kind"
			}
			if strings.HasPrefix(name, module) {
				ours[name] = true
			}
		}
	}
	if len(ours) > engineImports {
		broken = append(broken, fmt.Sprintf("%s imports %d of our packages, more than %d", engineRoot, len(ours), engineImports))
	}
	return broken
}
