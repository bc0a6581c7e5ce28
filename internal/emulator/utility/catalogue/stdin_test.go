package catalogue_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
)

func TestReadsStdin(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"sort": true, "sort -n": true, "sort a": false, "sort -k 2 -o x": true, "sort -k2 a": false, "sort a -": true, "sort -t : -k 1,1 a": false, "sort --key 2": true,
		"sort -- -": true, "sort -nk 2": true, "sort -no a": true,
		"md5sum a": false, "md5sum": true, "md5sum -c": true, "md5sum /dev/stdin": true,
		"diff a b": false, "diff a -": true, "diff": false, "cmp a": true, "cmp a b": false, "comm - b": true,
		"paste - -": true, "paste -s a": false, "paste -sd, -": true,
		"tar x": true, "tar xzf a.tgz": false, "tar -xzf -": true, "tar xf -": true, "tar --file=a -x": false, "tar -x --file a": false, "tar -c -f a d": false, "tar -tfa": false,
		"shuf -e a": false, "shuf": true, "shuf -i 1-3": false, "shuf -n 1 a": false, "od -c": true, "od -A n -t x1 a": false, "factor": true, "factor 12": false, "echo": false,
	} {
		args := strings.Fields(line)
		u, ok := catalogue.Lookup(args[0])
		if !ok {
			t.Fatalf("there is no %s", args[0])
		}
		if got := u.ReadsStdin(args); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
