// Command systems checks that all packages, and their tests where they can run, compile for other
// systems (`make check-systems`). It checks types from the sources, which takes a tenth of the time
// of compiling every dependency for each system.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := flag.String("root", ".", "the repository's directory")
	flag.Parse()
	failed := false
	for _, system := range flag.Args() {
		wrong, err := check(ctx, *root, system)
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		for _, w := range wrong {
			fmt.Fprintf(os.Stderr, "%s: %s\n", system, w)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check returns what does not compile for a system, such as windows/amd64.
func check(ctx context.Context, root, system string) (wrong []string, err error) {
	goos, goarch, found := strings.Cut(system, "/")
	if !found {
		return nil, fmt.Errorf("%q is not a system such as windows/amd64", system)
	}
	if root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	root += string(filepath.Separator)
	all, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesSizes,
		Dir: root, Tests: goos != "windows", // it has no signals to pause processes with
		Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch),
	}, "./...")
	seen := map[string]bool{} // a file belongs to a package, and to that with its tests
	for p := range packages.Postorder(all) {
		if strings.HasSuffix(p.ID, ".test") { // the program that go test makes
			continue
		}
		for _, e := range p.Errors {
			if text := strings.TrimPrefix(e.Error(), root); !seen[text] {
				wrong = append(wrong, text)
				seen[text] = true
			}
		}
	}
	return wrong, err
}
