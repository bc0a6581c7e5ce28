package text_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

func TestCat(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a": "one\n\n\ntwo", "b": "\x00\t\xc3\x7f\n"}
	utilitytest.Check(t, []utilitytest.Row{
		{Args: "cat", Stdin: "hello world, how\nare you", Want: "hello world, how\nare you"},
		{Args: "cat a - b", Files: files, Stdin: "in\n", Want: "one\n\n\ntwoin\n\x00\t\xc3\x7f\n"},
		{Args: "cat -n a", Files: files, Want: "     1\tone\n     2\t\n     3\t\n     4\ttwo"},
		{Args: "cat -b a", Files: files, Want: "     1\tone\n\n\n     2\ttwo"},
		{Args: "cat -A b", Files: files, Want: "^@^IM-C^?$\n"},
		{Args: "cat -s a", Files: files, Want: "one\n\ntwo"},
		{Args: "cat no a", Files: files, Want: "one\n\n\ntwo", Err: "cat: can't open 'no': No such file or directory\n", Exit: 1},
		{Args: "cat no", GNU: true, Err: "cat: no: No such file or directory\n", Exit: 1},
		{Args: "cat .", Err: "cat: read error: Is a directory\n", Exit: 1},
		{Args: "cat -q", Err: "cat: unrecognized option: q\n", Exit: 1},
		{Args: "cat /dev/stdin", Stdin: "x", Want: "x"},
		{Args: "cat /dev/null"},
	})
}

func TestEndlessFiles(t *testing.T) {
	t.Parallel()
	b := utilitytest.New(t, nil)
	if got := b.Run(t, "", "od", "-An", "-N4", "-tu4", "/dev/urandom"); got.Exit != 0 || len(strings.TrimSpace(got.Out)) == 0 {
		t.Errorf("od: %+v", got)
	}
	if got := b.Run(t, "", "xxd", "-p", "-l", "4", "/dev/zero"); got.Out != "00000000\n" {
		t.Errorf("xxd: %+v", got)
	}
	if got := b.Run(t, "", "head", "-c", "3", "/dev/zero"); got.Out != "\x00\x00\x00" {
		t.Errorf("head: %+v", got)
	}
	u, _ := catalogue.Lookup("base64")
	s := u.Stream()
	var out strings.Builder
	c := &utility.Call{Args: []string{"base64", "-w0", "/dev/zero"}, Cwd: "/", FS: b.FS, Stdout: &out, Stderr: &out}
	if next, _ := s.Chunk(c, nil, false); next != utility.Again || !strings.HasPrefix(out.String(), "AAAAAAAA") {
		t.Errorf("base64 wants %v, and wrote %.40q", next, out.String())
	}
}

// Commands and their output.
func TestScripts(t *testing.T) {
	t.Parallel()
	utilitytest.Scripts(t, "testdata")
}
