package catalogue_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

// No call of a utility panics, runs for ever, or makes a tree exceed its limits.
func TestAnyCall(t *testing.T) {
	t.Parallel()
	names := catalogue.Names()
	slices.Sort(names)
	words := []string{
		"a", "d", "d/b", "no", "-", "", ".", "..", "/", "/dev/null", "/dev/urandom", "/dev/zero", "/dev/stdin", "0", "1", "-1", "3", "+2", "1,2", "2-", "99999999999999999999", "1K",
		"-n", "-c", "-r", "-f", "-i", "-d", "-s", "-e", "-a", "-v", "-l", "-w", "-x", "-u", "-t", "-k", "-o", "-A", "-E", "-F", "-R", "-z", "-p", "--", "-m", "-q", "-h", "-L", "-1", "-C",
		"(", ")", "!", "=", "-eq", ":", "*", "+", "s/a/b/g", "p;n", "[", "]", "[a-z]", "\\", "%d", "%s", "%5.2f", "+%Y", "u+x", "755", "a=b", "if=a", "of=o", "bs=2", "count=3",
		"-exec", "{}", ";", "-name", "-delete", "-type", "f", "{print $1}", "BEGIN{print 1}", "xf", "cf", "a.tar", "\xff", "\n",
	}
	rapid.Check(t, func(rt *rapid.T) {
		args := append([]string{rapid.SampledFrom(names).Draw(rt, "utility")}, rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(rt, "arguments")...)
		utilitytest.Try(t, args, rapid.SampledFrom([]string{"", "a", "one two\nthree\n\n", "1\n2\n10\n", "\x00\xff\n"}).Draw(rt, "input"))
	})
}
