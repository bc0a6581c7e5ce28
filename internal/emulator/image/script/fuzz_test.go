package script

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

var noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// Every script is parsed or refused, and its actions are bounded.
func FuzzScript(f *testing.F) {
	for _, text := range []string{
		`print "a", 'b' . bpi(10), 1 + 2 ** 3; sleep 1; exit 4`, "import time\nprint('x', -1)\ntime.sleep(.5); sys.exit(1) # end", "console.log('a' + `b`)",
		`puts "x"; exit(1)`, `echo "x", getenv("HOME"); exit(3);`, "print(((1)))", `print ("a") . "b"`, `die "x\n"`, "exit('a')", `print "`, "print(", "**", "-1", ";;;", "a.b.c[]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, l := range Languages {
			if l.dialect == nil {
				continue // Python has its own interpreter
			}
			s := script{dialect: *l.dialect, text: text, getenv: func(string) string { return "v" }, hostname: "h"}
			does, err := s.run()
			if err != nil {
				continue
			}
			written := 0
			for _, a := range does.Acts {
				written += len(a.Out) + len(a.Err)
				if a.Sleep < 0 {
					t.Errorf("%s %q sleeps for %v", name, text, a.Sleep)
				}
			}
			if written > 2*maxOutput || len(does.Acts) > 3*maxActs || does.Code < 0 || does.Code > 255 {
				t.Errorf("%s %q does %d things, writes %d bytes and ends with %d", name, text, len(does.Acts), written, does.Code)
			}
		}
	})
}

// For every Python program, each round is bounded, and so are its values.
func FuzzPython(f *testing.F) {
	for _, text := range []string{
		"import os, sys\nif int(os.environ.get('A')) % 2 == 0:\n  sys.exit(1)\nelif not 1: pass\nelse:\n  print(f'{1 + 2}')", "x = 'a'\nwhile True:\n  x += x; time.sleep(1)",
		"import time\nx = [1]\nwhile x:\n  time.sleep(1)\n  for x in [[x, x], [x, x]]: pass", "print(-1 ** 2, 1e9, 1.5 / 3, (1, 2)[0], not 1 in [1])", "if", "\t", "f'{f'", "((((", "raise E('a')",
		"import random as r\nprint(r.choice([1]), r.randint(1, 3)); print(range(1, 9, 0))", "while 1:\n while 1:\n  break\n continue", "float('1e308') * 1e308", "a[", "1.2.3", "x = 1 if 2 else 3", "not",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := &Python{Text: kernel.Text(text)}
		for round := 0; round < 3 && !s.Ended; round++ {
			r := &python{Host: Host{Getenv: func(string) string { return "5" }, Random: func() uint64 { return 1 << 63 }, Now: noon, Hostname: "h"}}
			if err := s.run(r); err != nil {
				return
			}
			if state, err := json.Marshal(s); err != nil || len(state) > 8<<20 || r.steps > 2*maxPySteps || s.Code < 0 || s.Code > 255 {
				t.Errorf("%q keeps %d bytes, takes %d steps and ends with %d: %v", text, len(state), r.steps, s.Code, err)
			}
		}
	})
}
