package house

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

// rule is one house rule. check says where it is broken.
type rule struct {
	name, why string
	check     func(house) []string
}

// longFile is from how many lines on a file must have a reason, and wall from how many on it has none.
const longFile, wall = 400, 800

var rules = []rule{
	{"imports go downward", "so that a package can be read, tested and changed with what it stands on alone; place a new package in layer_test.go", downward},
	{"pgx stays where SQL is spoken", "so that what the database is asked is found in a few packages, and all else works on values",
		only("github.com/jackc/pgx", "internal/pg", "internal/store", "internal/wakeup", "internal/mirror", "internal/clock", "internal/worker", "internal/cluster", "internal/history", "internal/archive", "internal/fork")},
	{"chi stays in the API", "so that HTTP is one way in, and nothing below knows of it", only("github.com/go-chi/chi", "api", "cmd")},
	{"huma stays in the API", "so that HTTP is one way in, and nothing below knows of it", only("github.com/danielgtaylor/huma", "api", "cmd")},
	{"schedules stay in their package", "so that one place says when a schedule is due", only("github.com/robfig/cron", "internal/schedule")},
	{"nothing of upstream's server", "so that Rowlock is its own implementation: it shares Kubernetes' types and libraries, not its servers", only("k8s.io/kubernetes")},
	{"nothing of upstream's API server", "so that Rowlock is its own implementation: it shares Kubernetes' types and libraries, not its servers", only("k8s.io/apiserver")},
	{"decisions import nothing that reaches the world", "so that a reconciler is a function of its snapshot: the same input gives the same plan, on every replica", pureImports},
	{"decisions call nothing that differs from run to run", "so that a reconciler is a function of its snapshot: time comes in as Now, and names are drawn by the applier", pureCalls},
	{"packages are named after what they provide", "so that nothing is thrown in with what it has nothing to do with", plainNames},
	{"every package says what it is for", "so that a reader can stop at the first line", packageComments},
	{"files end", "so that a reader can take in a file at a sitting; split it by topic", shortFiles},
	{"SQL is in .sql files", "so that every query can be found, explained and run by itself", sqlInFiles},
	{"migrations go up and down", "so that a test can take them back, and goose can", upAndDown},
}

func downward(h house) (broken []string) {
	for _, f := range h.files {
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

// only allows a library to packages and their tests, and to the tests and the test support of others.
func only(library string, packages ...string) func(house) []string {
	ownTests := len(packages) > 0 // what nobody may import, tests may not either
	return func(h house) (broken []string) {
		for _, f := range h.files {
			if under(f.dir, packages...) || ownTests && (f.test || h.support(f.dir)) {
				continue
			}
			for name, spec := range f.imports() {
				if within(name, library) {
					broken = append(broken, fmt.Sprintf("%s: %s imports %s", f.at(spec.Pos()), f.dir, name))
				}
			}
		}
		return broken
	}
}

// worldly are the libraries that reach the world. An entry stands for those below it too.
var worldly = []string{
	"context", "log", "net/http", "os", "io", "sync", "crypto/rand", "math/rand", "database/sql",
	"github.com/google/uuid", "github.com/jackc/pgx", "k8s.io/client-go", "k8s.io/apimachinery/pkg/util/uuid", "k8s.io/apimachinery/pkg/util/wait",
	module + "internal/store", module + "internal/mirror", module + "internal/worker", module + "internal/clock", module + "internal/wakeup",
	module + "internal/pg", module + "internal/cluster", module + "api",
}

func pureImports(h house) (broken []string) {
	for _, f := range h.decisions() {
		for name, spec := range f.imports() {
			if under(name, worldly...) {
				broken = append(broken, fmt.Sprintf("%s: %s imports %s", f.at(spec.Pos()), f.dir, name))
			}
		}
	}
	return broken
}

// decisions are the files of the reconcilers.
func (h house) decisions() (files []*file) {
	for _, f := range h.files {
		if under(f.dir, "internal/reconcile") && !f.test && !h.support(f.dir) {
			files = append(files, f)
		}
	}
	return files
}

// impure are the functions, by package, whose result differs from run to run.
var impure = map[string][]string{
	"time":                                 {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
	"k8s.io/apimachinery/pkg/apis/meta/v1": {"Now", "NowMicro"},
}

// harmless are the only things that decisions may use of packages that have impure ones besides.
var harmless = map[string][]string{
	"k8s.io/apimachinery/pkg/util/rand": {"SafeEncodeString"},
	"k8s.io/klog/v2":                    {"Logger"}, // upstream's helpers take one; the zero Logger is silent
}

func pureCalls(h house) (broken []string) {
	for _, f := range h.decisions() {
		known := map[string]string{} // import paths by the names under which the file knows them
		for name, spec := range f.imports() {
			known[nameOf(name, spec)] = name
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := selector.X.(*ast.Ident); ok {
				name := known[pkg.Name]
				allowed, limited := harmless[name]
				if slices.Contains(impure[name], selector.Sel.Name) || limited && !slices.Contains(allowed, selector.Sel.Name) {
					broken = append(broken, fmt.Sprintf("%s: %s.%s", f.at(selector.Pos()), pkg.Name, selector.Sel.Name))
				}
			}
			return true
		})
	}
	return broken
}

var emptyNames = []string{"util", "utils", "common", "type", "types", "helper", "helpers", "misc", "base", "shared", "lib"}

func plainNames(h house) (broken []string) {
	for _, f := range h.files {
		if name := strings.TrimSuffix(f.ast.Name.Name, "_test"); slices.Contains(emptyNames, name) {
			broken = append(broken, fmt.Sprintf("%s: package %s", f.path, name))
		}
	}
	return broken
}

func packageComments(h house) []string {
	missing := map[string]bool{}
	for _, f := range h.files {
		missing[f.dir] = true
	}
	for _, f := range h.files {
		if f.ast.Doc != nil && !strings.HasSuffix(f.ast.Name.Name, "_test") {
			delete(missing, f.dir)
		}
	}
	return slices.Sorted(maps.Keys(missing))
}

func shortFiles(h house) (broken []string) {
	for _, f := range h.files {
		if !f.test && !f.generated && f.lines > wall {
			broken = append(broken, fmt.Sprintf("%s has %d lines, more than %d", f.path, f.lines, wall))
		}
	}
	return broken
}

// statement is how SQL begins; HTTP's DELETE is none.
var statement = regexp.MustCompile(`^\s*(SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH)\s+\S`)

func sqlInFiles(h house) (broken []string) {
	for _, f := range h.files {
		if f.test || h.support(f.dir) {
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

func upAndDown(h house) (broken []string) {
	for name, text := range h.sql {
		up, down, found := strings.Cut(text, "\n-- +goose Down\n")
		if !found || !strings.Contains("\n"+up, "\n-- +goose Up\n") || strings.TrimSpace(down) == "" {
			broken = append(broken, name+" does not have both -- +goose Up and -- +goose Down with something behind it")
		}
	}
	return broken
}
