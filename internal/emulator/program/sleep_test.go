package program_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	_ "github.com/rowlock/rowlock/internal/emulator/program"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestSleep(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		code int
		took time.Duration // rounded to a millisecond
		text string
	}{
		{[]string{"sleep", "30"}, 0, 30 * time.Second, ""},
		{[]string{"sleep", "1.5", "1m"}, 0, 61500 * time.Millisecond, ""},
		{[]string{"sleep", "2d"}, 0, 48 * time.Hour, ""},
		{[]string{"sleep", "0"}, 0, 0, ""},
		{[]string{"sleep"}, 1, 0, "sleep: missing operand\n"},
		{[]string{"sleep", "x"}, 1, 0, "sleep: invalid number 'x'\n"},
		{[]string{"sleep", "infinity"}, -1, 0, ""},
	} {
		tree := vfs.NewTree("root", nil, start)
		view := vfs.NewView(tree, "", start)
		if err := view.MkdirAll("/bin", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := view.WriteFile("/bin/sleep", kernel.Binary("sleep"), 0o755); err != nil {
			t.Fatal(err)
		}
		k := kernel.New("seed", start)
		var text string
		k.Output = func(w kernel.Written) { text += string(w.Data) }
		k.AddSandbox(kernel.Sandbox{Name: "c", FS: view})
		if _, err := k.Spawn("c", test.args, nil, "/", kernel.Stdio{}); err != nil {
			t.Fatal(err)
		}
		stop := k.Run(start.Add(time.Second), kernel.Budget{Steps: 1000})
		if stop.Kind == kernel.KindUntil { // continue elsewhere
			state, err := json.Marshal(k)
			if err != nil {
				t.Fatal(err)
			}
			k = &kernel.Kernel{Output: k.Output}
			out := k.Output
			if err := json.Unmarshal(state, k); err != nil {
				t.Fatal(err)
			}
			k.Output = out
			k.SetFS("c", view)
			stop = k.Run(start.Add(1000*time.Hour), kernel.Budget{Steps: 1000})
		}
		got := -1
		if stop.Kind == kernel.KindExit {
			got = stop.Exit.Code
		}
		if took := stop.At.Sub(start).Round(time.Millisecond); got != test.code || took != test.took || text != test.text {
			t.Errorf("%q: exit %d after %s, %q", test.args, got, took, text)
		}
	}
}
