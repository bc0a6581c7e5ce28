package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rowlock/rowlock/cmd/rowlock/exit"
)

// TestExitCodes: the program's exit codes are those in its help.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	const nobody = "--server=http://127.0.0.1:1"
	tests := []struct {
		name string
		args []string
		want int
		says string
	}{
		{"help", nil, 0, ""},
		{"version", []string{"version"}, 0, ""},
		{"refused", []string{"clock", "speed", "fast", nobody}, exit.Failed, `rowlock: "fast": `},
		{"unreachable", []string{"clock", nobody}, exit.Failed, "rowlock: the server cannot be reached: "},
		{"no such command", []string{"nonsense"}, exit.Misused, `rowlock: unknown command "nonsense" for "rowlock"`},
		{"no such command below one", []string{"clock", "nonsense"}, exit.Misused, `rowlock: unknown command "nonsense" for "rowlock clock" (see rowlock clock --help)`},
		{"no such flag", []string{"fork", "--nonsense"}, exit.Misused, "rowlock: unknown flag: --nonsense (see rowlock fork --help)"},
		{"no such flag of an advance", []string{"clock", "advance", "--nonsense"}, exit.Misused, "rowlock: unknown flag: --nonsense "},
		{"a flag's value", []string{"serve", "--resync=soon"}, exit.Misused, "rowlock: invalid argument"},
		{"too few arguments", []string{"fork", "delete"}, exit.Misused, "rowlock: accepts 1 arg(s), received 0 (see rowlock fork delete --help)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var stderr bytes.Buffer
			if got := run(t.Context(), tt.args, io.Discard, &stderr); got != tt.want || !strings.HasPrefix(stderr.String(), tt.says) {
				t.Errorf("it ended with %d and said %q, want %d and %q", got, stderr.String(), tt.want, tt.says)
			}
		})
	}
}

// TestHelp_OfEveryCommand: every command has a one-line description and a group, and the manual has
// a page for it.
func TestHelp_OfEveryCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "man1")
	if code := run(t.Context(), []string{"man", dir}, io.Discard, os.Stderr); code != 0 {
		t.Fatalf("rowlock man ended with %d", code)
	}
	root := rootCommand(os.Getenv)
	for _, command := range root.Commands() {
		if command.GroupID == "" {
			t.Errorf("%s has no group", command.CommandPath())
		}
	}
	pages := 0
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		pages++
		if command.Short == "" || strings.HasSuffix(command.Short, ".") {
			t.Errorf("%s: %q is not one line without a full stop", command.CommandPath(), command.Short)
		}
		page := strings.ReplaceAll(command.CommandPath(), " ", "-") + ".1"
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil || !bytes.HasPrefix(text, []byte(".nh\n.TH \"ROWLOCK\"")) {
			t.Errorf("%s begins with %.40q, %v", page, text, err)
		}
		for _, below := range command.Commands() {
			if !below.Hidden {
				visit(below)
			}
		}
	}
	visit(root)
	if pages < 30 {
		t.Errorf("%d commands", pages)
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out bytes.Buffer
		if code := run(t.Context(), []string{"completion", shell}, &out, os.Stderr); code != 0 || !strings.Contains(out.String(), "rowlock") {
			t.Errorf("completion %s ended with %d", shell, code)
		}
	}
	var out bytes.Buffer
	if code := run(t.Context(), []string{"__complete", "clock", "adv"}, &out, io.Discard); code != 0 || !strings.HasPrefix(out.String(), "advance\t") {
		t.Errorf("clock adv is completed with %q", out.String())
	}
}
