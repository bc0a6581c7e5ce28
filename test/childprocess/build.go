package childprocess

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// module is the path of the module that the programs belong to.
const module = "github.com/rowlock/rowlock"

// Rowlock returns the path of the rowlock to test: the program that ROWLOCK_BINARY names, or one
// that it builds in a directory.
func Rowlock(dir string) (string, error) {
	if path := os.Getenv("ROWLOCK_BINARY"); path != "" {
		return path, nil
	}
	path := filepath.Join(dir, "rowlock")
	if out, err := exec.Command("go", "build", "-o", path, module+"/cmd/rowlock").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build rowlock: %w\n%s", err, out)
	}
	return path, nil
}

// Kubectl returns the path of the kubectl to test with: the program that ROWLOCK_TEST_KUBECTL
// names, or that of test/scenario/kubectl, which go builds if it is not in its cache.
var Kubectl = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("ROWLOCK_TEST_KUBECTL"); path != "" {
		return path, nil
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("find the directory of %s: %w", module, err)
	}
	path, err := exec.Command("go", "-C", filepath.Join(strings.TrimSpace(string(root)), "test", "scenario"), "tool", "-n", "kubectl").Output()
	if err != nil {
		return "", fmt.Errorf("build kubectl: %w", err)
	}
	return strings.TrimSpace(string(path)), nil
})
