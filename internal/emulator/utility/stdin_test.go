package utility_test

import (
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/emulator/utility"
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
		u, ok := utility.Lookup(args[0])
		if !ok {
			t.Fatalf("there is no %s", args[0])
		}
		if got := u.ReadsStdin(args); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func TestEndlessFiles(t *testing.T) {
	t.Parallel()
	b := newBox(t, nil)
	if got := b.run(t, "", "od", "-An", "-N4", "-tu4", "/dev/urandom"); got.Exit != 0 || len(strings.TrimSpace(got.Out)) == 0 {
		t.Errorf("od: %+v", got)
	}
	if got := b.run(t, "", "xxd", "-p", "-l", "4", "/dev/zero"); got.Out != "00000000\n" {
		t.Errorf("xxd: %+v", got)
	}
	if got := b.run(t, "", "head", "-c", "3", "/dev/zero"); got.Out != "\x00\x00\x00" {
		t.Errorf("head: %+v", got)
	}
	u, _ := utility.Lookup("base64")
	s := u.Stream()
	var out strings.Builder
	c := &utility.Call{Args: []string{"base64", "-w0", "/dev/zero"}, Cwd: "/", FS: b.fs, Stdout: &out, Stderr: &out}
	if next, _ := s.Chunk(c, nil, false); next != utility.Again || !strings.HasPrefix(out.String(), "AAAAAAAA") {
		t.Errorf("base64 wants %v, and wrote %.40q", next, out.String())
	}
}
