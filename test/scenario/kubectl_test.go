package scenario

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd"
	cmdutil "k8s.io/kubectl/pkg/cmd/util"
)

// fatal is how kubectl ends with an error.
type fatal struct {
	message string
	code    int
}

func init() {
	cmdutil.BehaviorOnFatal(func(message string, code int) { panic(fatal{message, code}) })
}

func (w *world) apply(c command) string {
	return w.kubectl(c.input, append([]string{"apply", "-f", "-", "--validate=false"}, c.words...)...)
}

func (w *world) patch(c command) string {
	return w.kubectl("", append([]string{"patch", "--patch", c.input}, c.words...)...)
}

func (w *world) runKubectl(c command) string {
	w.t.Helper()
	if slices.Contains(c.words, "delete") && !slices.Contains(c.words, "--wait=false") {
		w.t.Fatal("kubectl delete needs --wait=false in a story: nothing goes on while it waits")
	}
	seen := w.kubectl(c.input, c.words...)
	if c.words[0] == "get" {
		seen = sortTables(w.told(seen))
	}
	return seen
}

// sortTables sorts the rows of tables: they come in the order of the names' hashes, which a story
// does not show.
func sortTables(text string) string {
	tables := strings.Split(text, "\n\n")
	for i, table := range tables {
		rows := strings.Split(strings.TrimRight(table, "\n"), "\n")
		if strings.HasPrefix(rows[0], "NAME ") {
			slices.Sort(rows[1:])
			tables[i] = strings.Join(rows, "\n")
		}
	}
	return strings.Join(tables, "\n\n")
}

// one serialises runs of kubectl: it has package variables, which its commands change while they
// are built.
var one sync.Mutex

// kubectl runs kubectl in this process and returns its standard output and its error output.
func (w *world) kubectl(input string, args ...string) (seen string) {
	w.t.Helper()
	one.Lock()
	defer one.Unlock()
	var out bytes.Buffer
	defer func() {
		if p := recover(); p != nil {
			f, ok := p.(fatal)
			if !ok {
				panic(p)
			}
			seen = out.String() + strings.TrimRight(f.message, "\n") + fmt.Sprintf("\n(exit %d)\n", f.code)
		}
	}()
	if input != "" && slices.Contains(args, "-") { // kubectl would read the process's standard input
		manifest := filepath.Join(w.t.TempDir(), "manifest.yaml")
		if err := os.WriteFile(manifest, []byte(input), 0o600); err != nil {
			w.t.Fatal(err)
		}
		args[slices.Index(args, "-")] = manifest
	}
	args = append(args, "--server="+w.url, "--kubeconfig=/dev/null", "--cache-dir="+w.cache)
	kubectl := cmd.NewKubectlCommand(cmd.KubectlOptions{
		Arguments:   append([]string{"kubectl"}, args...),
		ConfigFlags: genericclioptions.NewConfigFlags(true),
		IOStreams:   genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &out},
	})
	kubectl.SetArgs(args)
	kubectl.SetOut(&out)
	kubectl.SetErr(&out)
	kubectl.SilenceErrors, kubectl.SilenceUsage = true, true
	cmdutil.CheckErr(kubectl.Execute())
	return out.String()
}
