package script_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

func TestEcho(t *testing.T) {
	t.Parallel()
	utilitytest.Check(t, []utilitytest.Row{
		{Args: "echo a  b", Want: "a b\n"},
		{Args: "echo -n a", Want: "a"},
		{Args: `echo -e a\tb\0101\x41\n`, Want: "a\tbAA\n\n"},
		{Args: `echo -ne a\cb`, Want: "a"},
		{Args: `echo a\tb`, Want: "a\\tb\n"},
		{Args: "echo -x -n", Want: "-x -n\n"},
		{Args: "echo -", Want: "-\n"},
		{Args: "echo", Want: "\n"},
		{Args: `echo -e \q\`, Want: "\\q\\\n"},
	})
}

// Commands and their output.
func TestScripts(t *testing.T) {
	t.Parallel()
	utilitytest.Scripts(t, "testdata")
}
