package cluster_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// burn is a program that never rests: it repeats something.
type burn struct {
	before, again string
	heavy         int64  // the minimum steps of again, if a single command does much
	says          string // how the heavy command ends; empty if silently, or not at all
}

func (b burn) script() string { return b.before + "while :; do " + b.again + "; done" }

const longText = `s=$(head -c 50000 /dev/zero | tr '\0' a); `

var burns = []burn{
	{again: ":"},
	{before: "x=0; ", again: "x=$((x+1))"},
	{again: "yes > /dev/null"},
	{before: "f() { f; }; ", again: "(f)"},
	{again: "date > /tmp/now"},
	{again: "echo x | sed ':a;s/$/x/;ta' | wc -c", heavy: 90_000},
	{before: longText, again: ": ${s//a*b/}", heavy: 5_000}, // patterns take time in proportion to the text
	{before: longText, again: "echo $s | grep -cE '((a{1,30}){1,30}|b{1,99})c'", heavy: 90_000, says: "grep: stopped after"},
	{again: "head -c 1000000 /dev/zero | tr '\\0' a | awk '{ print length($0), match($0, /a*b/) }'", heavy: 90_000, says: "awk: stopped after"},
	{before: "p=$(yes d | head -n 1500 | tr '\\n' /); ", again: "mkdir -p /tmp/$p; cat /tmp/$p/x", heavy: 90_000, says: "mkdir: stopped after"},
}

// TestBurns_AreHeavy: the commands meant to be heavy are, and none of them merely fails.
func TestBurns_AreHeavy(t *testing.T) {
	t.Parallel()
	for _, b := range burns {
		if b.heavy == 0 {
			continue
		}
		t.Run(b.again, func(t *testing.T) {
			t.Parallel()
			before, _ := steps(t, b.before+":", 1_000_000)
			all, out := steps(t, b.before+b.again, 1_000_000)
			if n := all - before; n < b.heavy {
				t.Errorf("it takes %d steps, want %d at least", n, b.heavy)
			}
			if b.says == "" && out != "" || !strings.HasPrefix(out, b.says) {
				t.Errorf("it says %.200q, want %q", out, b.says)
			}
		})
	}
}

// steps returns how many steps a script takes, at most about most if it does not end, and its
// output.
func steps(t *testing.T, script string, most int64) (n int64, out string) {
	t.Helper()
	img, err := emulator.NewCatalogue().Find("busybox:1.36")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	devices, err := vfs.NewBase("dev", start, vfs.Devices())
	if err != nil {
		t.Fatal(err)
	}
	fs := vfs.NewView(vfs.NewTree("root", img.Base(), start), "seed", start)
	if err := fs.Mount("/dev", vfs.NewTree("dev", devices, start), "/dev", false); err != nil {
		t.Fatal(err)
	}
	k := kernel.New("seed", start)
	k.Output = func(w kernel.Written) { out += string(w.Data) }
	k.AddSandbox(kernel.Sandbox{Name: "c", FS: fs})
	if _, err := k.Spawn("c", img.Argv(&corev1.Container{Command: []string{"sh", "-c", script}}), img.Env(), "/", kernel.Stdio{}); err != nil {
		t.Fatal(err)
	}
	for n < most {
		stop := k.Run(start.Add(time.Hour), kernel.Budget{Steps: most - n})
		if n += stop.Steps; stop.Kind != kernel.KindSpent {
			break
		}
	}
	return n, out
}
