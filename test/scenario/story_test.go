package scenario

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"go.uber.org/goleak"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...) }

func TestStories(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"testdata/*.txt", "testdata/regression/*.txt"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				datadriven.RunTest(t, path, w.run)
			})
		}
	}
}

// TestStories_BeginWithAComment: without its purpose, a story proves nothing that can be checked.
func TestStories_BeginWithAComment(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		comment, _, _ := strings.Cut(string(text), "\n\n")
		if !strings.HasPrefix(comment, "# ") || !behaviour.MatchString(comment) {
			t.Errorf("%s: a story begins with a comment that names the behaviours it shows, as in DEP-022, or its topic where none has a number, as in Network:", path)
		}
	}
}

var behaviour = regexp.MustCompile(`\b[A-Z]{2,4}-\d{3}\b|^# Network: `)

// run executes one command of a story and returns its output.
func (w *world) run(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	w.t = t
	args := commandOf(d)
	commands := map[string]func(command) string{
		"apply": w.apply, "kubectl": w.runKubectl, "patch": w.patch,
		"settle": w.settleCommand, "advance": w.advanceCommand,
		"mark": w.mark, "log": w.showLog, "range": w.showRange, "events": w.showEvents,
	}
	run := commands[d.Cmd]
	if run == nil {
		d.Fatalf(t, "there is no command %s", d.Cmd)
	}
	return w.told(run(args))
}

// command is a command's arguments and input.
type command struct {
	words   []string            // as in the story, for kubectl
	options map[string][]string // key=value and key=(value, …)
	input   string
}

func commandOf(d *datadriven.TestData) command {
	c := command{options: map[string][]string{}, input: d.Input}
	for _, arg := range d.CmdArgs {
		word := arg.Key
		if len(arg.Vals) > 0 {
			word += "=" + strings.Join(arg.Vals, ",")
			c.options[arg.Key] = arg.Vals
		}
		c.words = append(c.words, word)
	}
	return c
}

// option returns the first value of an option, "" without it.
func (c command) option(key string) string {
	if values := c.options[key]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// has reports whether a value is among an option's; without the option, every value is.
func (c command) has(key, value string) bool {
	values := c.options[key]
	return len(values) == 0 || slices.Contains(values, value)
}
