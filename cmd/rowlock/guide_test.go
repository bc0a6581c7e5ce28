package main

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/test/childprocess"
)

// fence is a fenced block of a page.
type fence struct {
	language, text string
	line           int
	// notRun is why the commands of the block are not run, from the comment before it.
	notRun string
}

var notRunComment = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

// fences returns the blocks of a page in Markdown.
func fences(page string) (all []fence) {
	var open *fence
	before := ""
	for i, line := range strings.Split(page, "\n") {
		marker := strings.TrimSpace(line)
		switch {
		case open == nil && strings.HasPrefix(marker, "```"):
			open = &fence{language: strings.TrimPrefix(marker, "```"), line: i + 1}
			if comment := notRunComment.FindStringSubmatch(before); comment != nil {
				open.notRun = comment[1]
			}
		case open != nil && marker == "```":
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
		if marker != "" {
			before = marker
		}
	}
	return all
}

// TestGuide_CommandsAreInShell: a block in sh holds commands, one without a language their output;
// others are neither.
func TestGuide_CommandsAreInShell(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile(`^(\$ )?(bin/)?(rowlock|kubectl|curl|docker|make|go|export|npm|pg_dump|helm) `)
	for _, name := range guidePages(t) {
		for _, block := range fences(document(t, name)) {
			if first, _, _ := strings.Cut(block.text, "\n"); block.language == "" && command.MatchString(first) {
				t.Errorf("%s:%d: commands are in a block that is not ```sh, so that nobody runs them: %s", name, block.line, first)
			}
		}
	}
}

func guidePages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, "docs/guide/*.md"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no pages of the guide: %v", err)
	}
	names := []string{"README.md"}
	for _, page := range found {
		names = append(names, "docs/guide/"+filepath.Base(page))
	}
	return names
}

// TestGuide runs the commands of the README and of each page of the guide, in order, against a
// Rowlock of its own, and compares their output with the block after them.
//
//   - A command must succeed, unless the output shown has a line of an error that it prints.
//   - The lines shown must be printed in order; others may be between them, and … stands for the
//     rest of a line. Ages, times, revisions and generated names may differ.
//   - A read-only command is repeated until it prints what is shown.
func TestGuide(t *testing.T) {
	t.Parallel()
	for _, name := range guidePages(t) {
		blocks := fences(document(t, name))
		if !slices.ContainsFunc(blocks, runnable) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			t.Parallel()
			r := newReader(t)
			for i, block := range blocks {
				if !runnable(block) {
					continue
				}
				shown := ""
				if i+1 < len(blocks) && blocks[i+1].language == "" {
					shown = blocks[i+1].text
				}
				if !r.read(t, block, shown) {
					t.Fatalf("%s:%d", name, block.line)
				}
			}
		})
	}
}

func runnable(b fence) bool { return b.language == "sh" && b.notRun == "" }

// reader types what a page says.
type reader struct {
	dir, server string
}

// newReader starts a server, and sets up what the README's commands use: bin/rowlock and docs.
func newReader(t *testing.T) *reader {
	t.Helper()
	r := &reader{dir: t.TempDir()}
	program, err := exec.LookPath("rowlock")
	if err != nil {
		t.Fatal(err)
	}
	kubectl, err := childprocess.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Abs(filepath.Join(root, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, made := range []error{
		os.MkdirAll(filepath.Join(r.dir, "tmp"), 0o755), os.Mkdir(filepath.Join(r.dir, "bin"), 0o755),
		os.Symlink(program, filepath.Join(r.dir, "bin", "rowlock")), os.Symlink(docs, filepath.Join(r.dir, "docs")),
		os.Symlink(kubectl, filepath.Join(r.dir, "bin", "kubectl")),
	} {
		if made != nil {
			t.Fatal(made)
		}
	}
	ready := serveForReader(t, program, filepath.Join(r.dir, "data"))
	at, err := url.Parse(ready.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.server = at.Host
	first := "export KUBECONFIG='" + ready.Kubeconfig + "' ROWLOCK_LISTEN=" + r.server + " HOME='" + r.dir + "' PATH='" + r.dir + "/bin':\"$PATH\"\n"
	if err := os.WriteFile(filepath.Join(r.dir, "env"), []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	// No hour of the cluster begins while a page is read, as a CronJob that it shows may run then.
	past := time.Now().UTC().Truncate(time.Hour).Add(80 * time.Minute).Format(time.RFC3339)
	if c := r.run(t.Context(), "bin/rowlock clock advance --to "+past); c.err != nil {
		t.Fatalf("%s: %v\n%s", c.command, c.err, c.printed)
	}
	return r
}

func serveForReader(t *testing.T, program, dir string) childprocess.Ready {
	t.Helper()
	server := exec.Command(program, "serve", "--listen=127.0.0.1:0", "--database-url="+pgtest.NewURL(t), "--data-dir="+dir)
	log := &childprocess.Log{}
	server.Stderr = log
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stopServer(server); err != nil {
			t.Errorf("rowlock serve: %v", err)
		}
		if t.Failed() {
			t.Logf("rowlock serve logged:\n%s", log)
		}
	})
	ready, err := childprocess.AwaitReady(out, waitTimeout)
	if err != nil {
		t.Fatalf("rowlock serve: %v\n%s", err, log)
	}
	return ready
}

// readsOnly matches commands that change nothing, so that they can be repeated.
var readsOnly = regexp.MustCompile(`^(kubectl( --kubeconfig \S+)? (get|logs|top|describe)|(bin/)?rowlock (log|clock|fault list|fork list|snapshot list)(\s|$)|curl ['"]?localhost)`)

// typed is one command of a block and what it printed.
type typed struct {
	command, printed string
	err              error
}

// read runs a block's commands until they have printed what is shown, and reports the differences.
func (r *reader) read(t *testing.T, block fence, shown string) bool {
	t.Helper()
	commands, err := statements(block.text)
	if err != nil {
		t.Errorf("line %d: %v", block.line, err)
		return false
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*waitTimeout)
	defer cancel()
	all := make([]typed, len(commands))
	for i, command := range commands {
		all[i] = r.run(ctx, command)
	}
	for deadline := time.Now().Add(waitTimeout); ; time.Sleep(200 * time.Millisecond) {
		problem := judge(all, shown)
		if problem == "" {
			return true
		}
		again := false
		for i := range all {
			if readsOnly.MatchString(all[i].command) {
				all[i] = r.run(ctx, all[i].command)
				again = true
			}
		}
		if !again || time.Now().After(deadline) || ctx.Err() != nil {
			t.Errorf("line %d: %s", block.line, problem)
			return false
		}
	}
}

// statements returns the commands of a script, one by one.
func statements(text string) (all []string, err error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, err
	}
	for _, s := range file.Stmts {
		all = append(all, text[s.Pos().Offset():endOf(s, text)])
	}
	return all, nil
}

// endOf returns where a statement ends: after its here-document if it has one.
func endOf(s *syntax.Stmt, text string) uint {
	end := s.End().Offset()
	for _, redirect := range s.Redirs {
		if redirect.Hdoc != nil {
			rest := text[redirect.Hdoc.End().Offset():]
			line, _, _ := strings.Cut(rest, "\n")
			end = max(end, redirect.Hdoc.End().Offset()+uint(len(line)))
		}
	}
	return end
}

// run runs a command like a shell that has run the earlier ones: it has their exports and
// assignments.
func (r *reader) run(ctx context.Context, command string) typed {
	// The server's address and the temporary directory are the reader's own.
	text := strings.NewReplacer("localhost:8080", r.server, "127.0.0.1:8080", r.server, "/tmp/", r.dir+"/tmp/").Replace(command)
	shell := exec.CommandContext(ctx, "bash", "-c", ". ./env; set -a\n"+text+"\nended=$?; export -p > env; exit $ended")
	shell.Dir = r.dir
	shell.WaitDelay = time.Second
	printed, err := shell.CombinedOutput()
	back := strings.NewReplacer(r.server, "127.0.0.1:8080", r.dir+"/tmp/", "/tmp/")
	return typed{command: command, printed: back.Replace(string(printed)), err: err}
}

var refused = regexp.MustCompile(`^(error:|Error from server|rowlock:)`)

// judge returns how the output differs from what is shown, or nothing.
func judge(all []typed, shown string) string {
	want := lines(neutralPage(shown))
	for _, c := range all {
		expected := slices.ContainsFunc(lines(neutralPage(c.printed)), func(line string) bool {
			return refused.MatchString(line) && slices.ContainsFunc(want, func(w string) bool { return w != "" && matches(w, line) })
		})
		if c.err != nil && !expected {
			return c.command + ": " + c.err.Error() + "\n" + c.printed
		}
	}
	var got []string
	for _, c := range all {
		got = append(got, lines(neutralPage(c.printed))...)
	}
	rest := got
	for _, line := range want {
		i := slices.IndexFunc(rest, func(printed string) bool { return matches(line, printed) })
		if i < 0 {
			return "the page shows\n\t" + line + "\nand this was printed:\n\t" + strings.Join(got, "\n\t")
		}
		rest = rest[i+1:]
	}
	return ""
}

// matches reports whether a shown line, in which … may stand for the rest, is the printed line.
func matches(shown, printed string) bool {
	if start, _, cut := strings.Cut(shown, "…"); cut {
		return strings.HasPrefix(printed, start)
	}
	return shown == printed || shown == ""
}

// pageScrubs replace what differs from run to run, besides what neutral replaces.
var pageScrubs = []struct {
	pattern *regexp.Regexp
	neutral string
}{
	{regexp.MustCompile(`\brevision \d+\b`), "revision N"},
	{regexp.MustCompile(`\bin \d+ steps?\b`), "in N steps"},
	{regexp.MustCompile(`(?m)^\d+ +TIME`), "N TIME"},
	{regexp.MustCompile(`\b(due to|REVISION:) \d+\b`), "$1 N"},
	{regexp.MustCompile(`kubectl/v[\w.]+`), "kubectl/VERSION"},
	{regexp.MustCompile(`\b\d+   \d+[KM]?i?B\b`), "RECORDS SIZE"},
	{regexp.MustCompile(`-\d{8}\b`), "-MINUTE"},
	{regexp.MustCompile(`   +`), "   "},
	{regexp.MustCompile(`\b[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}`), "TIME"},
}

func neutralPage(text string) string {
	text = neutral(text)
	for _, s := range pageScrubs {
		text = s.pattern.ReplaceAllString(text, s.neutral)
	}
	return text
}

// TestGuide_Judge: wrong pages fail; a check that never fails would accept every page.
func TestGuide_Judge(t *testing.T) {
	t.Parallel()
	ended := exec.ErrNotFound
	tests := []struct {
		name  string
		all   []typed
		shown string
		fails bool
	}{
		{"lines in order, others between", []typed{{printed: "a\nb\nc\n"}}, "a\nc\n", false},
		{"lines of several commands", []typed{{printed: "a\n"}, {printed: "b\n"}}, "a\nb\n", false},
		{"another order", []typed{{printed: "a\nb\n"}}, "b\na\n", true},
		{"a line that was not printed", []typed{{printed: "a\n"}}, "a\nb\n", true},
		{"nothing is shown", []typed{{printed: "a\n"}}, "", false},
		{"the rest of a line", []typed{{printed: "Warning: resource\n"}}, "Warning: …\n", false},
		{"an age", []typed{{printed: "web   1/1   12s\n"}}, "web    1/1   11m\n", false},
		{"another number", []typed{{printed: "web   1/1   12s\n"}}, "web    2/2   11m\n", true},
		{"a failure", []typed{{printed: "error: no\n", err: ended}}, "", true},
		{"a failure that is shown", []typed{{printed: "error: no\n", err: ended}}, "error: no\n", false},
		{"a failure other than the one shown", []typed{{printed: "error: no\n", err: ended}}, "error: yes\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if problem := judge(tt.all, tt.shown); (problem != "") != tt.fails {
				t.Errorf("judged %q, fails is to be %v", problem, tt.fails)
			}
		})
	}
}

func TestGuide_Statements(t *testing.T) {
	t.Parallel()
	got, err := statements("export A=b # a comment\nkubectl apply -f - <<EOF\nkind: Pod\nEOF\nsleep 1 &\nx \\\n  y | z\n")
	want := []string{"export A=b", "kubectl apply -f - <<EOF\nkind: Pod\nEOF", "sleep 1 &", "x \\\n  y | z"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("statements = %q, %v, want %q", got, err, want)
	}
}
