package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rule is one rule for the sources. check returns its violations.
type rule struct {
	name, why string
	check     func(sources) []string
}

// longFile is the number of lines from which on a file needs a reason, and wall the number that no
// file may reach.
const longFile, wall = 400, 800

var rules = []rule{
	{"imports go downward", "so that a package can be read, tested and changed with what it stands on alone; place a new package in layer_test.go", downward},
	{"packages are named after what they provide", "so that nothing is thrown in with what it has nothing to do with", plainNames},
	{"every package says what it is for", "so that a reader can stop at the first line", packageComments},
	{"files end", "so that a reader can take in a file at a sitting; split it by topic", shortFiles},
	{"SQL is in .sql files", "so that every query can be found, explained and run by itself", sqlInFiles},
	{"a write is decided in one package", "so that admission, defaults and validation mean the same to the API, to controllers and to previews; call internal/registry", oneRegistry},
	{"the emulator stands alone", "so that what runs in Pods can be read and tested without the control plane, and reaches neither the host nor the network", emulatorAlone},
	{"the emulator has one door", "so that its kernel, shell and files can change without their users; use internal/emulator", emulatorDoor},
	{
		"the engine knows no controller",
		"so that the loop can be read and changed without the controllers, and a controller be added without it; " +
			"a controller tells what it needs in engine.Controller",
		engineAlone,
	},
	{"the architecture is short pages", "so that each can be read at a sitting and found from the first; split a page by topic", shortPages},
	{"every package has its page", "so that a reader who comes from the code finds what it is for; docs/architecture/packages.md lists them", packagesOnPages},
	{"storage and wakeups know no kind", "so that a kind or a controller can be added without them; what they need of kinds comes through kind.Catalogue and wakeup.Router", kindless},
	{
		"a controller has one file",
		"so that its name, what wakes it, what it reads and what that costs are read in one place, " +
			"and adding one touches that file and the list; see controllers.go",
		controllerFiles,
	},
	{"prose is plain English", "so that a reader from anywhere understands it at once; write subject, verb, object in the present tense, with the field's own terms", translatedProse},
	{"comments name what exists", "so that a reader finds what a comment or a page points to; name what it is called now", danglingNames},
	{"migrations go up and down", "so that a test can take them back, and goose can", upAndDown},
}

func downward(s sources) (broken []string) {
	for _, f := range s.files {
		layer, entry := layerOf(f.dir)
		if layer < 0 {
			broken = append(broken, fmt.Sprintf("%s: package %s has no layer", f.path, f.dir))
			continue
		}
		if f.test {
			continue
		}
		for name, spec := range f.imports() {
			dir, ours := strings.CutPrefix(name, module)
			if !ours {
				continue
			}
			if below, place := layerOf(dir); below >= layer {
				broken = append(broken, fmt.Sprintf("%s: %s (by %s) imports %s (by %s), which is not below it", f.at(spec.Pos()), f.dir, entry, dir, place))
			}
		}
	}
	return broken
}

var emptyNames = []string{"util", "utils", "common", "type", "types", "helper", "helpers", "misc", "base", "shared", "lib"}

func plainNames(s sources) (broken []string) {
	for _, f := range s.files {
		if name := strings.TrimSuffix(f.ast.Name.Name, "_test"); slices.Contains(emptyNames, name) {
			broken = append(broken, fmt.Sprintf("%s: package %s", f.path, name))
		}
	}
	return broken
}

func packageComments(s sources) []string {
	missing := map[string]bool{}
	for _, f := range s.files {
		missing[f.dir] = true
	}
	for _, f := range s.files {
		if f.ast.Doc != nil && !strings.HasSuffix(f.ast.Name.Name, "_test") {
			delete(missing, f.dir)
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

func shortFiles(s sources) (broken []string) {
	for _, f := range s.files {
		if !f.test && !f.generated && f.lines > wall {
			broken = append(broken, fmt.Sprintf("%s has %d lines, more than %d", f.path, f.lines, wall))
		}
	}
	return broken
}

// statement matches the beginning of SQL; HTTP's DELETE is not SQL.
var statement = regexp.MustCompile(`^\s*(SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH)\s+\S`)

func sqlInFiles(s sources) (broken []string) {
	for _, f := range s.files {
		if f.test || s.support(f.dir) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(literal.Value); err == nil && statement.MatchString(text) {
				broken = append(broken, fmt.Sprintf("%s: %.40q", f.at(literal.Pos()), text))
			}
			return true
		})
	}
	return broken
}

// writeSteps are the functions of a kind.Kind, kind.Plugin or kind.Subresource that make up a
// write.
var writeSteps = []string{"Allocate", "Mutate", "PrepareCreate", "PrepareUpdate", "Prepare", "Validate", "ValidateUpdate"}

// oneRegistry uses names, in the files that import package kind: methods with these names but
// without arguments, such as a Config's Validate, are others. Package definition, like the
// packages below kind, makes kinds from what package customresource has.
func oneRegistry(s sources) (broken []string) {
	for _, f := range s.files {
		if f.test || f.dir == "internal/registry" || f.dir == "internal/definition" || within(f.dir, "internal/kind") || f.imports()[module+"internal/kind"] == nil {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			if callee, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains(writeSteps, callee.Sel.Name) {
				broken = append(broken, fmt.Sprintf("%s: %s", f.at(call.Pos()), callee.Sel.Name))
			}
			return true
		})
	}
	return broken
}

func upAndDown(s sources) (broken []string) {
	for name, text := range s.sql {
		up, down, found := strings.Cut(text, "\n-- +goose Down\n")
		if !found || !strings.Contains("\n"+up, "\n-- +goose Up\n") || strings.TrimSpace(down) == "" {
			broken = append(broken, name+" does not have both -- +goose Up and -- +goose Down with something behind it")
		}
	}
	return broken
}
