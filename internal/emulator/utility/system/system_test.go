package system_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

// Commands and their output.
func TestScripts(t *testing.T) {
	t.Parallel()
	utilitytest.Scripts(t, "testdata")
}
