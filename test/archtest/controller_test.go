package archtest

import (
	"fmt"
	"go/ast"
	"path"
	"strings"
)

// kindless lists what makes storage and wakeups depend on a kind of object.
func kindless(s sources) (broken []string) {
	for _, f := range s.files {
		wakes := f.dir == "internal/wakeup"
		if f.test || !wakes && f.dir != "internal/store" {
			continue
		}
		for name, spec := range f.imports() {
			if strings.HasPrefix(name, "k8s.io/api/") || wakes && strings.HasPrefix(name, "k8s.io/") && !strings.HasPrefix(name, "k8s.io/apimachinery/") {
				broken = append(broken, fmt.Sprintf("%s: %s", f.at(spec.Pos()), name))
			}
		}
	}
	return broken
}

// controllerRoot is the package whose variable controllerList lists the constructors of all
// controllers, which are in packages below it. controllerNames has their names.
const controllerRoot, controllerList, controllerNames = "internal/controller", "controllers", "internal/controller/names"

// controllerFiles lists controllers whose file does not have their name, or lacks a required part;
// and those that are missing in the list, or have no name.
func controllerFiles(s sources) (broken []string) {
	made, named := map[string]*file{}, map[string]bool{}
	var listed []string
	for _, f := range s.files {
		if f.test || !within(f.dir, controllerRoot) {
			continue
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if name, is := strings.CutPrefix(d.Name.Name, "New"); is && makesController(d) {
					made[name] = f
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						named[v.Names[0].Name] = named[v.Names[0].Name] || f.dir == controllerNames
						listed = append(listed, controllersIn(v)...)
					}
				}
			}
		}
	}
	for _, name := range listed {
		f := made[name]
		if f == nil {
			broken = append(broken, name+" is listed, and not made")
			continue
		}
		delete(made, name)
		if file := strings.TrimSuffix(path.Base(f.path), ".go"); !strings.HasPrefix(strings.ToLower(name), file) {
			broken = append(broken, fmt.Sprintf("%s: %s has no file of its name", f.path, name))
		}
		if !named[name] {
			broken = append(broken, fmt.Sprintf("%s: %s has no name in %s", f.path, name, controllerNames))
		}
		if !saysCost(f) {
			broken = append(broken, fmt.Sprintf("%s: no comment has a line that begins with Cost:", f.path))
		}
	}
	for name, f := range made {
		broken = append(broken, fmt.Sprintf("%s: %s is not listed", f.path, name))
	}
	return broken
}

// makesController reports whether a function (not a method) returns an engine.Controller.
func makesController(d *ast.FuncDecl) bool {
	if d.Recv != nil || d.Type.Results == nil || len(d.Type.Results.List) != 1 {
		return false
	}
	result, ok := d.Type.Results.List[0].Type.(*ast.SelectorExpr)
	return ok && result.Sel.Name == "Controller"
}

// controllersIn returns the names of the controllers that a variable lists; none for other
// variables.
func controllersIn(v *ast.ValueSpec) (names []string) {
	if v.Names[0].Name != controllerList || len(v.Values) != 1 {
		return nil
	}
	list, ok := v.Values[0].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, e := range list.Elts {
		if f, ok := e.(*ast.SelectorExpr); ok {
			names = append(names, strings.TrimPrefix(f.Sel.Name, "New"))
		}
	}
	return names
}

func saysCost(f *file) bool {
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "// Cost: ") {
				return true
			}
		}
	}
	return false
}
