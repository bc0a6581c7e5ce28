package catalogue_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/utility/utilitytest"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// tight makes the tests of costs use the limits of an idle machine, to find work that costs more
// than it bills.
var tight = flag.Bool("tight", false, "judge costs as on an idle machine")

// excessive reports whether a call took too much CPU time for its steps. The bounds are far above
// what it takes on an idle machine, unless the test is tight: they catch work that is not billed,
// which takes seconds.
func excessive(steps int64, took time.Duration) bool {
	free, factor := 2*time.Second, time.Duration(30)
	if *tight {
		free, factor = 20*time.Millisecond, 2
	}
	return took > free+factor*utility.StepNanos*time.Duration(min(steps, 2*utility.DefaultMaxSteps))
}

func threadTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Words for commands.
var (
	scripts = []string{
		"s/a*b/x/g", ":a;s/$/x/;ta", ":a;y/ab/ba/;ba", "s/\\(a*\\)*$/\\1\\1/", "s/./\\U&/g", "G;G;h", "$!N;P;D", "/a*a*a*b/d", "l", "1!G;h;$!d", "s/[^,]*,//3;s/x*/-/g", "=", "n;d", "s/.*/&&/;l;p",
	}
	programs = []string{
		"{print length($0), toupper($0)}", "{for(i=1;i<=NF;i++)n[$i]++}END{for(k in n)print k,n[k]}",
		"{gsub(/a/,\"&b\");print}", "{s=s $0}END{print length(s)}", "{$3=\"x\";print}", "{n=split($0,p,\"\");print n}",
		"BEGIN{while(1)s=s \"x\"}", "BEGIN{while(1)a[i++]=sprintf(\"%100d\",i)}",
		"{while(1)if(index($0,\"b\")||match($0,/a*b/)||$0==1||substr($0,5,9)>2)exit}",
		"{print $1+$2,$NF~/(a|b){50}c/,tolower($0)<$0}",
		"function f(n){return n<2?n:f(n-1)+f(n-2)}BEGIN{print f(60)}", "BEGIN{RS=\"a*b\"}{n++}END{print n}",
		"BEGIN{RS=\"\"}{print NF}", "{while(i<1e9)NF=i++%90000}",
		"BEGIN{while(1)printf \"%s %5.3f %c %x\",i++,i/7,i,i>\"/dev/null\"}",
		"BEGIN{while(1)x=rand() srand() strftime(\"%c\")}", "{while(1){delete a;split($0,a)}}", "{a[NR]=$0}END{while(1)for(k in a)n++}",
	}
	patterns = []string{
		"a", "(a|b){900}z", "a*a*a*a*a*b", ".*.*.*x", "(a*)*b", "[[:alpha:]]*[0-9]\\{3,200\\}", "^(a?){500}a{500}$", "x*",
		"\\(a\\|ab\\)*c", "a.{0,900}b", "é*z", strings.Repeat("a*b|", 900) + "c",
		strings.Repeat("(", 400) + strings.Repeat(")", 400),
	}
	sets    = []string{"a-z", "A-Z", "[:alpha:]", "[:upper:]", "[a*]", "\\0-\\377", "a", "\\n", "[=a=]", "é"}
	formats = []string{"%s\n", "%d %x", "%10000s", "%.5000f", "%b", "%q", strings.Repeat("%d", 5000), "%c%%", "%*.*f", "\\x41\\0101"}
	numbers = []string{"0", "1", "2", "10", "1000", "1000000", "-1", "1,3-5,9-", "2,3n", "1.2,3.4", "99999999999999999999", strings.Repeat("9", 20000), "1k", "1M", "0.1", "1:2", "4096"}
	globs   = []string{"*", "*a*b*c*d*e*f*", "[a-z]*[!x]?", strings.Repeat("*a", 2000), "f*"}
	phrases = []string{
		"-name", "-type", "f", "-o", "!", "(", ")", "-exec", "{}", ";", "+", "=", "!=", "<", "*", "/", "%", ":", "length",
		"index", "substr", "match", "if=", "of=/dev/null", "bs=1", "bs=1M", "count=1000000",
		"conv=swab,ucase", "-regex", "-path", "-print0", "-size", "-newer", "+%c%s%N", "-d", "@1", "1 day ago", "u+rwx,g-s", "root:root",
	}
)

// command returns a command for a utility, made from all words for commands of its kind.
func command(r *rand.Rand, name string) []string {
	args := []string{name}
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	files := append(slices.Sorted(func(yield func(string) bool) {
		for f := range large {
			if !yield(f) {
				return
			}
		}
	}), "dir", "deep", "/", "-", "nosuch", "x.tgz", "x.gz")
	for range r.IntN(3) {
		letter := string("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[r.IntN(62)])
		args = append(args, "-"+letter)
		if r.IntN(4) == 0 {
			args = append(args, pick(numbers))
		}
	}
	args = known(args)
	switch kind := map[string][]string{
		"sed": scripts, "awk": programs, "gawk": programs, "mawk": programs, "grep": patterns, "egrep": patterns,
		"fgrep": patterns, "tr": sets, "printf": formats, "expr": numbers, "seq": numbers, "factor": numbers,
	}[name]; {
	case name == "sed" && r.IntN(3) == 0:
		args = append(args, "s/"+strings.ReplaceAll(pick(patterns), "/", "")+"/&x/g")
	case kind != nil:
		args = append(args, pick(kind))
	}
	for range r.IntN(5) {
		switch r.IntN(12) {
		case 0:
			args = append(args, pick(sets))
		case 1:
			args = append(args, pick(numbers))
		case 2:
			args = append(args, pick(globs))
		case 3:
			args = append(args, pick(patterns))
		case 4, 5:
			args = append(args, pick(phrases))
		default:
			args = append(args, pick(files))
		}
	}
	return args
}

var (
	letters   = map[string]bool{} // by utility and option: whether the utility has it
	letterSet sync.Mutex
)

// known drops the options that a utility does not have.
func known(args []string) []string {
	letterSet.Lock()
	defer letterSet.Unlock()
	kept := args[:1]
	for _, a := range args[1:] {
		if !strings.HasPrefix(a, "-") || len(a) != 2 || a[1] >= '0' && a[1] <= '9' {
			kept = append(kept, a)
			continue
		}
		has, asked := letters[args[0]+a]
		if !asked {
			u, _ := catalogue.Lookup(args[0])
			var errs bytes.Buffer
			c := &utility.Call{Args: []string{args[0], a}, FS: vfs.NewView(vfs.NewTree("", nil, utilitytest.Noon), "", utilitytest.Noon), Cwd: "/", Stdout: io.Discard, Stderr: &errs, MaxSteps: 1 << 10}
			if u.IsStream() {
				u.Stream().Chunk(c, nil, false)
			} else {
				u.Run(c, nil)
			}
			has = !strings.Contains(errs.String(), "unrecognized option")
			letters[args[0]+a] = has
		}
		if has {
			kept = append(kept, a)
		}
	}
	return kept
}

// spent returns the steps and time of the most expensive piece of a utility's calls, in relation to
// its steps.
func spent(t testing.TB, args []string, stdin string) (steps int64, took time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	b := utilitytest.New(t, map[string]string{"dir/a/b/c": "x\n", "deep" + strings.Repeat("/d", 300) + "/e": "y\n"})
	for i := range 300 {
		if err := b.FS.WriteFile(fmt.Sprintf("/work/dir/f%d", i), []byte("text\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	room := 3
	for name, text := range large {
		if room > 0 && slices.Contains(args, name) {
			room--
			if err := b.FS.WriteFile("/work/"+name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	u, _ := catalogue.Lookup(args[0])
	var out, errs bytes.Buffer
	c := &utility.Call{Args: args, Env: b.Env, Cwd: b.Cwd, FS: b.FS, Now: utilitytest.Noon, Started: utilitytest.Noon, Seed: "s", Umask: 0o022, Stdout: &out, Stderr: &errs, MaxOutput: 4 << 20}
	measure := func(call func()) {
		out.Reset()
		errs.Reset()
		b.FS.TakeWork()
		began := threadTime()
		call()
		if took1, steps1 := threadTime()-began, c.Steps()+b.FS.TakeWork(); took1-time.Duration(steps1)*utility.StepNanos > took-time.Duration(steps)*utility.StepNanos || took == 0 {
			took, steps = took1, steps1
		}
	}
	if !u.IsStream() {
		measure(func() { u.Run(c, []byte(stdin)) })
		return steps, took
	}
	s := u.Stream()
	next := utility.Again
	for range 40 {
		switch next {
		case utility.Done:
			return steps, took
		case utility.Input:
			piece := stdin[:min(len(stdin), 64<<10)]
			stdin = stdin[len(piece):]
			measure(func() { next, _ = s.Chunk(c, []byte(piece), piece == "") })
		default:
			c.Status = 0
			measure(func() { next, _ = s.Chunk(c, nil, false) })
		}
	}
	return steps, took
}

// FuzzCost searches for commands whose CPU time is out of proportion to the steps that they bill.
func FuzzCost(f *testing.F) {
	names := slices.Sorted(slices.Values(catalogue.Names()))
	for i := range names {
		for j := range uint64(1) {
			f.Add(uint16(i), j)
		}
	}
	kinds := []string{"", "line", "words", "numbers", "short", "random", "empty", "digits", "runes", "blanks"}
	f.Fuzz(func(t *testing.T, which uint16, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		args := command(r, names[int(which)%len(names)])
		kind := kinds[r.IntN(len(kinds))]
		if steps, took := spent(t, args, large[kind]); excessive(steps, took) {
			t.Errorf("%.300q with %s as its input took %s for %d steps", args, kind, took, steps)
		}
	})
}

// The most expensive commands found of each kind.
func TestCost(t *testing.T) {
	for _, row := range []struct{ input, args string }{
		{"numbers", "sort -n"}, {"words", "sort -t: -k2,2n -k1"}, {"line", "sha512sum"}, {"random", "gzip -9"}, {"random", "md5sum"}, {"line", "cksum"}, {"random", "od -t x1"}, {"random", "base64"},
		{"words", "diff - numbers"}, {"line", "fold -w 1"}, {"random", "xxd"}, {"random", "hexdump -C"}, {"digits", "factor"},
		{"words", "tr a-z A-Z"}, {"words", "uniq -c"}, {"short", "tac"}, {"runes", "rev"},
	} {
		args := strings.Fields(row.args)
		if _, ok := catalogue.Lookup(args[0]); !ok {
			continue
		}
		steps, took := spent(t, args, large[row.input])
		if t.Logf("%-30s %8d steps %s", row.args, steps, took); excessive(steps, took) {
			t.Errorf("%s of %s took %s for %d steps", row.args, row.input, took, steps)
		}
	}
}
