package shell_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// typing is a user at a shell, on a terminal or a pipe. Between inputs, the state moves as from one
// replica to another.
type typing struct {
	*world
	ends   kernel.Ends
	at     time.Duration
	screen strings.Builder
}

func startTyping(t *testing.T, terminal bool, argv ...string) *typing {
	t.Helper()
	y := &typing{world: newWorld(kernel.Limits{})}
	var err error
	_, y.ends, err = y.k.SpawnJoined("c", argv, []string{"PATH=/bin", "HOME=/root"}, "/root", kernel.Stdio{Held: true, Joined: true, TTY: terminal})
	if err != nil {
		t.Fatal(err)
	}
	y.more("")
	return y
}

// more types text, and returns what is new on the screen a tenth of a second later.
func (y *typing) more(text string) string {
	y.k.Feed(y.ends.In, []byte(text))
	y.at += 100 * time.Millisecond
	y.run(y.at, 1<<40, 0)
	out, _ := y.k.Drain(y.ends.Out, 1<<16)
	if y.ends.Err != 0 {
		b, _ := y.k.Drain(y.ends.Err, 1<<16)
		out = append(out, b...)
	}
	y.screen.Write(out)
	y.carry()
	return string(out)
}

func TestInput_CommandsRunWhenTheyAreWhole(t *testing.T) {
	t.Parallel()
	y := startTyping(t, false, "sh")
	for _, step := range []struct{ typed, want string }{
		{"echo one\n", "one\n"},
		{"echo ", ""},
		{"two; echo three\n", "two\nthree\n"},
		{"if true\n", ""},
		{"then echo four\n", ""},
		{"fi\n", "four\n"},
		{"echo five \\\n", ""},
		{"six\n", "five six\n"},
		{"cat <<EOF\n", ""},
		{"seven $((3+5))\nif\n", ""},
		{"EOF\n", "seven 8\nif\n"},
		{"read a b; echo $b\n", ""},
		{"nine ten\n", "ten\n"},
		{"# a remark\n\n", ""},
		{"f() {\n echo $1\n}\nf eleven\n", "eleven\n"},
		{"sleep 0.05; nosuch; echo $?\n", "127\nsh: nosuch: not found\n"},
		{"trap 'echo bye' EXIT\nexit 3\n", "bye\n"},
	} {
		if got := y.more(step.typed); got != step.want {
			t.Fatalf("%q gives %q, want %q", step.typed, got, step.want)
		}
	}
	if y.code != 3 {
		t.Errorf("it ended with %d", y.code)
	}
}

func TestInput_EndsWithTheFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shell, text, want string
		code              int
	}{
		{"sh", "echo a", "a\n", 0},
		{"sh", "false\n", "", 1},
		{"bash", "echo a\nif true\n", "a\nbash: line 2: syntax error: `if <cond>` must be followed by `then`\n", 2},
		{"bash", "echo a\n\n)\necho b\n", "a\nbash: line 3: syntax error: `)` can only be used to close a subshell\n", 2},
		{"dash", "\n\nnosuch\necho $LINENO", "4\ndash: 3: nosuch: not found\n", 0},
		{"sh", "cat <<EOF\nlast", "last\n", 0},
		{"sh", "cat\nthis is not run", "this is not run", 0},
	} {
		y := startTyping(t, false, test.shell)
		y.k.Feed(y.ends.In, []byte(test.text))
		y.k.CloseFeed(y.ends.In)
		if got := y.more(""); got != test.want || y.code != test.code {
			t.Errorf("%s: %q gives %q and %d, want %q and %d", test.shell, test.text, got, y.code, test.want, test.code)
		}
	}
}

func TestInput_PromptsOnATerminal(t *testing.T) {
	t.Parallel()
	y := startTyping(t, true, "sh")
	for _, step := range []struct{ typed, want string }{
		{"", ""},
		{"echo $0 a\x7fb\r", "echo $0 a\b \bb\r\nsh b\r\n~ # "},
		{"cd /tmp\r", "cd /tmp\r\n/tmp # "},
		{"while true\r", "while true\r\n> "},
		{"do sleep 1; done\r", "do sleep 1; done\r\n"},
		{"\x03", "^C\r\n/tmp # "},
		{"echo $?\r", "echo $?\r\n130\r\n/tmp # "},
		{"if x\r", "if x\r\n> "},
		{"\x03", "^C\r\n/tmp # "},
		{"abc\x03", "abc^C\r\n/tmp # "},
		{"sleep 100\r", "sleep 100\r\n"},
		{"\x03", "^C\r\n/tmp # "},
		{"echo ${x?no}\r", "echo ${x?no}\r\nsh: x: no\r\n/tmp # "},
		{")\r", ")\r\nsh: syntax error: `)` can only be used to close a subshell\r\n/tmp # "},
		{"kill $$; echo on\r", "kill $$; echo on\r\non\r\n/tmp # "},
		{"PS1='$ '\r", "PS1='$ '\r\n$ "},
	} {
		if got := y.more(step.typed); step.typed != "" && got != step.want {
			t.Fatalf("%q shows %q, want %q", step.typed, got, step.want)
		}
	}
	y.more("exit 4\r")
	if y.code != 4 || !strings.HasPrefix(y.screen.String(), "~ # ") {
		t.Errorf("it ended with %d, and showed %q", y.code, y.screen.String())
	}
}

func TestInput_BashSaysExit(t *testing.T) {
	t.Parallel()
	y := startTyping(t, true, "bash")
	if got := y.more("nosuch\r"); !strings.HasPrefix(got, "nosuch\r\nbash: nosuch: command not found\r\n") {
		t.Errorf("an unknown command shows %q", got)
	}
	if got := y.more("\x04"); got != "exit\r\n" || y.code != 127 {
		t.Errorf("the end of the input shows %q, and it ended with %d", got, y.code)
	}
}
