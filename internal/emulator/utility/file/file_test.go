package file_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a": "text", "d/e/f": "x"}
	utilitytest.Check(t, []utilitytest.Row{
		{Args: "rm a", Files: files, After: map[string]string{"a": "-", "d/e/f": "x"}},
		{Args: "rm d", Files: files, Err: "rm: 'd' is a directory\n", Exit: 1},
		{Args: "rm -rf d no", Files: files, After: map[string]string{"d/e/f": "-"}},
		{Args: "rm no", Err: "rm: can't remove 'no': No such file or directory\n", Exit: 1},
		{Args: "rm no", GNU: true, Err: "rm: cannot remove 'no': No such file or directory\n", Exit: 1},
		{Args: "rm", Exit: 1},
		{Args: "rm -f"},
		{Args: "rmdir d", Files: files, Err: "rmdir: 'd': Directory not empty\n", Exit: 1},
		{Args: "mkdir x", After: map[string]string{}},
		{Args: "mkdir x/y", Err: "mkdir: can't create directory 'x/y': No such file or directory\n", Exit: 1},
		{Args: "mkdir -p x/y d/e", Files: files},
		{Args: "mkdir a", Files: files, GNU: true, Err: "mkdir: cannot create directory 'a': File exists\n", Exit: 1},
		{Args: "touch a b", Files: files, After: map[string]string{"a": "text", "b": ""}},
		{Args: "touch -c b", After: map[string]string{"b": "-"}},
		{Args: "touch /etc/x", UID: 1000, Err: "touch: /etc/x: Permission denied\n", Exit: 1},
		{Args: "touch x/y", Err: "touch: x/y: No such file or directory\n", Exit: 1},
	})
}

func TestLs(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a": "text", ".h": "", "d/e/f": "x"}
	utilitytest.Check(t, []utilitytest.Row{
		{Args: "ls", Files: files, Want: "a\nd\n"},
		{Args: "ls -A", Files: files, Want: ".h\na\nd\n"},
		{Args: "ls -a", Files: files, Want: ".\n..\n.h\na\nd\n"},
		{Args: "ls -R", Files: files, Want: ".:\na\nd\n\n./d:\ne\n\n./d/e:\nf\n"},
		{Args: "ls -r a d", Files: files, Want: "a\n\nd:\ne\n"},
		{Args: "ls -ld a d", Files: files, Want: "-rw-r--r--    1 root     root             4 Mar  4 12:00 a\n" +
			"drwxr-xr-x    3 root     root          4096 Mar  4 12:00 d\n"},
		{Args: "ls -l", GNU: true, Files: files, Want: "total 8\n-rw-r--r-- 1 root root    4 Mar  4 12:00 a\ndrwxr-xr-x 3 root root 4096 Mar  4 12:00 d\n"},
		{Args: "ls no", Err: "ls: no: No such file or directory\n", Exit: 1},
		{Args: "ls no", GNU: true, Err: "ls: cannot access 'no': No such file or directory\n", Exit: 2},
	})
}

// Commands and their output.
func TestScripts(t *testing.T) {
	t.Parallel()
	utilitytest.Scripts(t, "testdata")
}
