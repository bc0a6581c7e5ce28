package printf_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

func FuzzPrintf(f *testing.F) {
	f.Add("%s %d %5.2f\\n", "a", "1")
	f.Add("%*.*x%%%b\\0", "-3", "0x1f")
	f.Add("%999999999s", "a", "")
	f.Fuzz(func(t *testing.T, format, a, b string) {
		if len(format)+len(a)+len(b) > 4096 {
			return
		}
		utilitytest.Try(t, []string{"printf", format, a, b}, "")
		utilitytest.Try(t, []string{"date", "-d", a, "+" + format}, "")
	})
}

// Commands and their output.
func TestScripts(t *testing.T) {
	t.Parallel()
	utilitytest.Scripts(t, "testdata")
}
