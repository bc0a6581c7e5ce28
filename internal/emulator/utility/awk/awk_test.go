package awk_test

import (
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
)

func FuzzAwk(f *testing.F) {
	for _, program := range []string{
		"{print $1, NF}", "BEGIN{for(i=0;i<9;i++)a[i]=i^2;for(k in a)print k,a[k]}", "/a/,/b/{gsub(/x*/,\"&-\");print}", "function f(a,b){a[1]=b;return f(a,b-1)}BEGIN{f(q,3)}",
		"{$5=\"x\";print;NF=2}END{printf \"%c%5.2f%s\",65,1/3,substr($0,-1)}", "BEGIN{RS=\"\"}{n=split($0,p,/[ab]+/);print n>\"/work/o\"}", "{x=y?z:!w~\"a\";x^=2;print x++ + ++x \"\" (1,2) in b}",
	} {
		f.Add(program, "one two\nthree  a:b\n\nfour")
	}
	f.Fuzz(func(t *testing.T, program, stdin string) {
		if len(program) > 4096 || len(stdin) > 4096 {
			return
		}
		utilitytest.Try(t, []string{"awk", program}, stdin)
	})
}

// Commands and their output.
func TestScripts(t *testing.T) {
	t.Parallel()
	utilitytest.Scripts(t, "testdata")
}
