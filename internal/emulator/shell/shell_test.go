package shell_test

import (
	"testing"
	"time"
)

// scripts are scripts with their results in busybox' shell.
var scripts = []struct {
	script string
	out    string
	err    string
	code   int
	took   time.Duration // in whole seconds
}{
	{`echo hello; echo world`, "hello\nworld\n", "", 0, 0},
	{`for i in 1 2 "3 4"; do echo "<$i>"; done`, "<1>\n<2>\n<3 4>\n", "", 0, 0},
	{`f() { echo "f: $1 $#"; return 3; }; f 1 2; echo $?`, "f: 1 2\n3\n", "", 0, 0},
	{`echo "$(echo sub; echo x)" | cat`, "sub\nx\n", "", 0, 0},
	{`sleep 5; nosuch`, "", "sh: nosuch: not found\n", 127, 5 * time.Second},
}

func TestScripts(t *testing.T) {
	t.Parallel()
	for _, test := range scripts {
		r := script("sh", test.script)
		if r.out != test.out || r.err != test.err || r.code != test.code || r.took.Truncate(time.Second) != test.took {
			t.Errorf("%s\n%s", test.script, r)
		}
	}
}
