package shell_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// The CPU time that a run may take, far above what it takes on an idle machine: about 100 ms for
// one step, and under a microsecond for each reported step. The limits catch work that is not
// billed at all, which takes seconds.
const (
	patienceForRun  = 3 * time.Second
	patienceForStep = 30 * time.Microsecond
)

// threadTime returns the CPU time of the calling thread.
func threadTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cost is the cost of a program: its steps, their CPU time, and the longest of the runs.
type cost struct {
	steps int64
	cpu   time.Duration
	most  time.Duration
	ended bool
	w     *world
}

func (c cost) String() string {
	return fmt.Sprintf("%8d steps, %6d ms in all, %4d ms at most, %5d ns a step", c.steps, c.cpu.Milliseconds(), c.most.Milliseconds(), c.cpu.Nanoseconds()/max(c.steps, 1))
}

// costOf runs a program in small pieces, for that many steps or that much CPU time.
func costOf(steps int64, cpu time.Duration, args ...string) cost {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c := cost{w: newWorld(kernel.Limits{})}
	c.w.spawn(args...)
	for c.steps < steps && c.cpu < cpu {
		began := threadTime()
		stop := c.w.k.Run(start.Add(240*time.Hour), kernel.Budget{Steps: 500})
		took := threadTime() - began
		c.cpu += took
		c.most = max(c.most, took)
		c.steps += stop.Steps
		if c.ended = stop.Kind != kernel.KindSpent; c.ended && (stop.Kind != kernel.KindExit || stop.Exit.PID == 1) {
			break
		}
	}
	return c
}

// poisons are commands that once ran for seconds in one step.
var poisons = []struct{ dialect, script string }{
	{"ash", `echo x | sed ':a;s/$/x/;ta' | wc -c`},
	{"ash", `echo x | sed ':a;s/x/xx/;ta'`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' a | sed ':a;y/ab/ba/;ba'`},
	{"bash", `s=$(head -c 200000 /dev/zero | tr "\0" a); t=${s//a*b/}; echo ${#t}`},
	{"bash", `s=$(head -c 200000 /dev/zero | tr "\0" a); t=${s/b*b/}; echo ${#t}`},
	{"bash", `s=$(head -c 50000 /dev/zero | tr "\0" a); t=${s//@(a|aa)*b/}; echo ${#t}`},
	{"bash", `s=$(head -c 200000 /dev/zero | tr "\0" a); case $s in *a*a*a*a*a*b) ;; esac; echo ${#s} ${s%%a*b} ${s##*b} ${s%b*} | wc -c`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' a | grep -E '(a|b){1000}(a|c){1000}z'`},
	{"ash", `grep -E "$(for i in $(seq 900); do printf 'a*%s|' $i; done)q" /tmp/no; head -c 300000 /dev/zero | tr '\0' a | grep -E "$(for i in $(seq 400); do printf 'a*%s|' $i; done)q"`},
	{"ash", `head -c 2000 /dev/zero | tr '\0' a | grep -E "$(printf '.{0,1000}%.0s' $(seq 40))b"`},
	{"ash", `head -c 3000 /dev/zero | tr '\0' a | grep -E "$(printf '.{0,400}%.0s' $(seq 20))b"`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' x | awk '{ s = $0; for (i = 0; i < 60000; i++) match(s, /x*z/) }'`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' x | awk '{ s = $0; for (i = 0; i < 60000; i++) n += length(s) }'`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' x | awk '{ s = $0; t = s "y"; for (i = 0; i < 60000; i++) n += s == t }'`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' 1 | awk '{ s = $0; for (i = 0; i < 60000; i++) n += s + 0 }'`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' x | awk '{ for (i = 0; i < 60000; i++) { $1 = i; n += length() } }'`},
	{"ash", `awk 'BEGIN { for (i = 0; i < 60000; i++) n += "x" ~ ("(a|b){50}" i) }'`},
	{"ash", `awk 'BEGIN { while (1) i++ }'`},
	{"bash", `cd /tmp; for i in $(seq 20000); do mkdir d; cd d; done`},
	{"bash", `p=/tmp; for i in $(seq 900); do p=$p/.; done; for i in $(seq 900); do p=$p/.; done; i=0; while [ $i -lt 500 ]; do test -e $p; i=$((i+1)); done`},
	{"bash", `cd /tmp; for i in $(seq 3000); do : > f$i; done; echo /*/../*/../*/../*/../*/../*/../*/../*/../*/.. | wc -c`},
	{"ash", `cd /tmp; mkdir s; for i in $(seq 1000); do echo x > s/f$i; done; tar czf a.tgz s; i=0; while [ $i -lt 20 ]; do tar xzf a.tgz; i=$((i+1)); done`},
	{"bash", `a='b+b+b+b+b+b+b+b'; b='c+c+c+c+c+c+c+c'; c='d+d+d+d+d+d+d+d'; d='e+e+e+e+e+e+e+e'; e='f+f+f+f+f+f+f+f'; f='g+g+g+g+g+g+g+g'; g='h+h+h+h+h+h+h+h'; h=1; echo $((a))`},
	{"bash", `s=$(printf '1+%.0s' $(seq 20000))1; echo $((s)) $((s)) $((s))`},
	{"bash", `n=$(head -c 60000 /dev/zero | tr '\0' a); echo $((n + n))`},
	{"bash", `s=$(head -c 100000 /dev/zero | tr "\0" a); [[ $s =~ (a|b){400}(a|c){400}z ]]; echo $?`},
	{"bash", `eval "$(printf 'x=1;%.0s' $(seq 10000))"; eval "echo $(printf '{a,b}%.0s' $(seq 12)) | wc -c"`},
	{"bash", `for i in $(seq 20000); do a[$i]=$i; done; for i in 1 2 3 4 5; do b=("${a[@]}"); c="${a[*]}"; done; echo ${#c}`},
	{"ash", `set -- $(seq 20000); for i; do shift; done; echo $#`},
	{"ash", `seq 100000 | sort -r | sort -n | uniq -c | tail -1`},
	{"ash", `head -c 1000000 /dev/zero | tr '\0' '\n' | sed 's/^/x/' | tac | rev | cut -c1 | paste -s | fold -w 10 | wc -l`},
	{"ash", `seq 60000 > /tmp/a; seq 60000 | sort > /tmp/b; diff /tmp/a /tmp/b | wc -l`},
	{
		"ash",
		`head -c 1000000 /dev/zero > /tmp/a; for i in 1 2 3; do sha512sum /tmp/a; md5sum /tmp/a; ` +
			`gzip -c /tmp/a | gunzip | wc -c; od -t x1 -v /tmp/a | tail -1; base64 /tmp/a | base64 -d | wc -c; done`,
	},
	{"ash", `factor 1000000016000000063 340282366920938463463374607431768211457; expr 99999999999999999999999999999 \* 99999999999999999999999999999`},
	{"ash", `printf "$(head -c 60000 /dev/zero | tr '\0' '%')d" 1 | wc -c; printf '%d\n' $(seq 10000) | tail -1; find / -name '*a*b*c*d*' | wc -l; find / -regex '.*(a|b)*c' | wc -l`},
}

// A step of any program takes about as long as it reports.
func TestCost(t *testing.T) {
	for _, p := range poisons {
		c := costOf(150_000, patienceForRun, "/bin/"+p.dialect, "-c", p.script)
		t.Logf("%s  %.70s  %.50s", c, p.script, strings.ReplaceAll(c.w.err, "\n", ";"))
		if c.most > patienceForRun || c.cpu > time.Duration(c.steps)*patienceForStep+100*time.Millisecond {
			t.Errorf("%s: %s", p.script, c)
		}
	}
}
