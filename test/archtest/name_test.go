package archtest

import (
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// named matches an exported name with the package or type that has it: plan.Plan, Batch.Add.
var named = regexp.MustCompile(`(^|[^\w./*-])([A-Za-z]\w*)\.([A-Z]\w*)`)

// owned is the names that each package declares, methods included, and those that each type has:
// its fields and methods. Packages of one name, and types of one name, share an entry.
type owned map[string]map[string]bool

func (o owned) add(owner string, names ...string) {
	if o[owner] == nil {
		o[owner] = map[string]bool{}
	}
	for _, name := range names {
		o[owner][name] = true
	}
}

// names collects what the files declare.
func (s sources) names() owned {
	o := owned{}
	for _, f := range s.files {
		pkg := strings.TrimSuffix(f.ast.Name.Name, "_test")
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				o.add(pkg, d.Name.Name)
				if d.Recv != nil && len(d.Recv.List) == 1 {
					o.add(receiver(d.Recv.List[0].Type), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					o.declare(pkg, spec)
				}
			}
		}
	}
	return o
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func (o owned) declare(pkg string, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			o.add(pkg, name.Name)
		}
	case *ast.TypeSpec:
		o.add(pkg, spec.Name.Name)
		o.add(spec.Name.Name)
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				for _, name := range field.Names {
					o.add(spec.Name.Name, name.Name)
				}
				if len(field.Names) == 0 { // an embedded type
					o.add(spec.Name.Name, receiver(field.Type))
				}
			}
			return true
		})
	}
}

// danglingNames lists the names in comments and on architecture pages that a package or a type of
// ours does not have. A comment may name what its own file uses: that is another module's.
func danglingNames(s sources) (broken []string) {
	names := s.names()
	missing := func(text string, used map[string]bool) (dangling []string) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if owner, name := m[2], m[3]; names[owner] != nil && !names[owner][name] && !used[name] {
				dangling = append(dangling, owner+"."+name)
			}
		}
		return dangling
	}
	for _, f := range s.files {
		used := map[string]bool{}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name] = true
			}
			return true
		})
		for _, group := range f.ast.Comments {
			for _, c := range group.List {
				if strings.Contains(c.Text, "Source:") {
					break // and what follows it: upstream's names
				}
				for _, name := range missing(c.Text, used) {
					broken = append(broken, f.at(c.Pos())+": "+name)
				}
			}
		}
	}
	for _, page := range slices.Sorted(maps.Keys(s.pages)) {
		for i, line := range strings.Split(s.pages[page], "\n") {
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				for _, name := range missing(m[1], nil) {
					broken = append(broken, fmt.Sprintf("%s:%d: %s", page, i+1, name))
				}
			}
		}
	}
	return broken
}
