package shell_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// stories are scripts that do several things at a time.
var stories = []string{
	`echo hello; date; echo bye >&2; exit 3`,
	`for i in 1 2 3; do echo $i; sleep 0.$i; done | while read x; do echo "got $x"; done`,
	`trap 'echo term; exit 5' TERM; (sleep 1; kill $$) & while :; do sleep 0.3; done`,
	`f() { local n=$1; [ $n -le 1 ] && { echo 1; return; }; echo $((n * $(f $((n-1))))); }; f 5`,
	`yes | head -3; seq 1 200 | tail -1; (echo a; sleep 1; echo b) & (sleep 0.5; echo c) & wait; echo "$?"`,
	`cat <<E | sed 's/a/b/' > /tmp/f; x=$(cat /tmp/f); echo "<$x>"
a1
a2
E`,
	`exec 3>/tmp/log; echo one >&3; { echo two; echo three; } >&3 2>&1; exec 3>&-; cat /tmp/log; printf '\377\376' > /tmp/b; x=$(cat /tmp/b); echo "${#x}$x"`,
	`a=(x "y z" w); for e in "${a[@]}"; do echo "[$e]"; done; declare -A m=([k]=v); echo "${m[k]}" ${!a[@]}; [[ abc =~ b(.) ]] && echo ${BASH_REMATCH[1]}`,
	`eval 'i=0; while [ $i -lt 3 ]; do i=$((i+1)); case $i in 2) continue;; esac; echo $i; done'; trap 'echo exit $?' EXIT; set -e; false; echo no`,
	`timeout 2 sh -c 'trap "echo caught; exit 9" TERM; sleep 100 & wait'; echo $?; printf '1\n2\n3\n' | xargs -n 1 sh -c 'echo n $0'; kill -USR1 $$; echo no`,
	`(read -t 1 x; echo "read $? $x") < /dev/null; sleep 2 | { read -t 1 y; echo "timed out $?"; }; echo $RANDOM $RANDOM $SECONDS`,
	`( ulimit -n; umask 077; touch /tmp/q; cd /tmp; pwd ); pwd; IFS=:; for p in $PATH:a::b; do echo "<$p>"; done; wait; set -- a b; echo "$*" $#; shift; echo $1`,
	`while true; do for j in 1 2 3; do for k in a b; do echo $j$k; [ $j$k = 2b ] && break 3; done; done; done; cat /nonexistent || echo "failed $?"`,
	`i=0; while [ $i -lt 300 ]; do echo "line $i of some length to fill the pipe with"; i=$((i+1)); done | { sleep 1; wc -l; }`,
}

// events returns everything that a run shows, with its times.
func (w *world) events(stop kernel.Stop) string {
	var b strings.Builder
	for _, l := range w.log {
		b.WriteString(l)
	}
	fmt.Fprintf(&b, "%d %s exit %d after %s\n", stop.Kind, stop.At.Sub(start), w.code, w.took)
	return b.String()
}

const span = 30 * time.Second

func oneGo(dialect, text string, limits kernel.Limits, budget int64) (string, *world) {
	w := newWorld(limits)
	w.spawn(dialect, "-c", text)
	return w.events(w.run(span, budget, 0)), w
}

// A run that is cut into pieces, each started from the JSON of the one before, equals a run that is
// not cut.
func TestPieces(t *testing.T) {
	t.Parallel()
	for n, dialect := range []string{"ash", "dash", "bash"} {
		pieces := []int64{97}
		if n == 2 {
			pieces = []int64{11}
		}
		for i, text := range stories {
			t.Run(fmt.Sprintf("%s-%d", dialect, i), func(t *testing.T) {
				t.Parallel()
				want, _ := oneGo(dialect, text, kernel.Limits{}, 1_000_000)
				for _, piece := range pieces {
					w := newWorld(kernel.Limits{})
					w.spawn(dialect, "-c", text)
					if got := w.events(w.run(span, 1_000_000, piece)); got != want {
						t.Fatalf("in pieces of %d steps:\n%s\nin one go:\n%s\n%s", piece, got, want, text)
					}
				}
				w := newWorld(kernel.Limits{})
				w.spawn(dialect, "-c", text)
				var stop kernel.Stop
				for at := time.Duration(0); at <= span && w.code < 0; at += 777 * time.Millisecond {
					stop = w.run(min(at, span), 1_000_000, 0)
					w.carry()
				}
				if w.code < 0 {
					stop = w.run(span, 1_000_000, 0)
				}
				if got := w.events(stop); got != want {
					t.Fatalf("in pieces of time:\n%s\nin one go:\n%s\n%s", got, want, text)
				}
			})
		}
	}
}

// State that is read from JSON is written as the same JSON.
func TestJSON_IsStable(t *testing.T) {
	t.Parallel()
	for _, text := range stories {
		w := newWorld(kernel.Limits{})
		w.spawn("bash", "-c", text)
		for n := range int64(40) {
			w.k.Run(start.Add(span), kernel.Budget{Steps: n})
			one, err := json.Marshal(w.k)
			if err != nil {
				t.Fatal(err)
			}
			w.carry()
			two, err := json.Marshal(w.k)
			if err != nil {
				t.Fatal(err)
			}
			if string(one) != string(two) {
				t.Fatalf("%s\n%s\n%s", text, one, two)
			}
		}
	}
}

// FuzzShell runs any script: it ends within its budget, and its state can be written and read at
// any point without changing its behaviour.
func FuzzShell(f *testing.F) {
	for _, text := range stories {
		f.Add(uint8(2), text)
	}
	for i, test := range scripts {
		f.Add(uint8(i), test.script)
	}
	for _, text := range []string{
		":(){ :|:& };:", "f() { f; }; f", "while :; do :; done", "while :; do x=$x$x.; done", "eval 'eval \"eval x\"'", "x='$x'; eval eval $x", "yes | cat > /tmp/x", "cat /dev/zero | tr a b",
		"while :; do sleep 0.001 & done", "trap 'kill $$' TERM; kill $$", "exec 3<&0 4<&3; exec 5>&4", "echo ${x:=${y:=${z:=1}}}", "((((((((((1))))))))))", "a[99999999]=1; echo ${#a[@]}",
		"$(($(($((1))))))", "echo {1..99999}{1..9}", "[[ a == *(*(*(a)))b ]]", "x=aaaaaaaaaaaaaaaaaaaaaaaaa; echo ${x//*a*a*a*a*b/}", "set -- ${1+\"$@\"}; while set -- \"$@\" \"$@\" a; do :; done",
		"\"$(`<<E", "case x in (x) ;; esac", "echo \xff\xfe | cat; x=\xff; echo $x${x}", "sh -c 'sh -c \"exec sh -c :\"'",
		"read x < <(echo)", "select x in a; do :; done", "printf '%999999999d' 1", "seq 1 99999999 | tail -1",
	} {
		f.Add(uint8(2), text)
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		dialect := []string{"ash", "dash", "bash"}[kind%3]
		limits := kernel.Limits{Processes: 30, Files: 32, Bytes: 2 << 20}
		const budget = 20_000
		began := time.Now()
		want, w := oneGo(dialect, text, limits, budget)
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("%s for %d steps", took, w.steps)
		}
		if strings.Contains(w.err, "the program has failed") && !strings.Contains(text, "failed") {
			t.Errorf("a panic: %s", w.err)
		}
		if w.steps > budget+500_000 {
			t.Errorf("%d steps", w.steps)
		}
		again := newWorld(limits)
		again.spawn(dialect, "-c", text)
		if got := again.events(again.run(span, budget, budget/7)); got != want {
			t.Errorf("in pieces:\n%s\nin one go:\n%s", got, want)
		}
	})
}

// The packages that run users' programs import nothing that can reach the host.
func TestImports(t *testing.T) {
	t.Parallel()
	forbidden := map[string]bool{
		"os": true, "os/exec": true, "os/signal": true, "os/user": true, "io/ioutil": true, "net": true, "net/http": true, "net/rpc": true, "syscall": true, "plugin": true, "unsafe": true,
		"path/filepath": true, "log": true, "log/slog": true, "runtime/debug": true, "golang.org/x/sys/unix": true, "math/rand": true, "crypto/rand": true, "C": true,
	}
	for _, dir := range []string{"../kernel", "../shell", "../program", "../utility", "../vfs", "../regex"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			for _, name := range imports(t, dir+"/"+e.Name()) {
				if forbidden[name] {
					t.Errorf("%s/%s imports %s", dir, e.Name(), name)
				}
			}
		}
	}
}
