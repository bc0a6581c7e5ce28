package utilitytest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Scripts runs the scripts in a directory.
//
// A script is a table of commands with their output. They were made by comparison with busybox
// 1.35, and with coreutils 9.1, sed 4.8, grep 3.8, diffutils 3.8 and findutils 4.9. If the small
// busybox used for the comparison lacks an option, the row shows what a larger one does; if a
// message differs, it is ours.
//
//	file name=x       makes a file for the commands after it
//	stdin             is the standard input of the commands after it
//	run               a command that does the same in both manners
//	busybox, gnu      a command as one of them does it
//
// Each command sees the original files, whatever earlier commands did. Its standard error begins
// with "-- ". A line with only a dollar is empty, and "open" says that the last line has no
// newline.
func Scripts(t *testing.T, dir string) {
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		files, stdin := map[string]string{}, ""
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			text := strings.ReplaceAll(d.Input, "$\n", "\n") // a dollar marks an end of line that would be cut off
			switch d.Cmd {
			case "file":
				var name string
				d.ScanArgs(t, "name", &name)
				files[name] = ended(d, text)
				return ""
			case "stdin":
				stdin = ended(d, text)
				return ""
			}
			busybox, gnu := script(t, files, stdin, d.Input, false), script(t, files, stdin, d.Input, true)
			switch {
			case d.Cmd == "busybox":
				return busybox
			case d.Cmd == "gnu":
				return gnu
			case busybox != gnu:
				return "busybox and gnu differ\n"
			}
			return gnu
		})
	})
}

// script runs one command in its own container.
func script(t *testing.T, files map[string]string, stdin, command string, gnu bool) string {
	t.Helper()
	b := New(t, files)
	b.GNU = gnu
	got := b.Run(t, stdin, words(command)...)
	out := got.Out
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n-- no newline\n"
	}
	for line := range strings.Lines(got.Err) {
		out += "-- " + line
	}
	if got.Exit != 0 {
		out += fmt.Sprintf("-- exit %d\n", got.Exit)
	}
	return out
}

// ended returns the content of a file: with a newline at its end, unless the directive says "open".
func ended(d *datadriven.TestData, text string) string {
	if d.HasArg("open") {
		return text
	}
	return text + "\n"
}

// words splits a command as a shell does, with single quotes and backslash n for a newline.
func words(line string) (all []string) {
	var b strings.Builder
	in, quoted := false, byte(0)
	for i := range len(line) {
		c := line[i]
		switch {
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			in, quoted = true, c
		case c == ' ' || c == '\n':
			if in || b.Len() > 0 {
				all = append(all, b.String())
			}
			b.Reset()
			in = false
		default:
			b.WriteByte(c)
		}
	}
	if in || b.Len() > 0 {
		all = append(all, b.String())
	}
	return all
}
