package application

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Stress uses memory and time: `stress --vm 1 --vm-bytes 250M --timeout 10s`, and vish/stress'
// `stress -mem-total 150Mi -cpus 2`. Its memory is only counted, against the limit of its
// container.
type Stress struct {
	Begun bool          `json:",omitempty"`
	Until time.Duration `json:",omitempty"` // in kernel time; 0 means for ever
	Took  time.Duration `json:",omitempty"`
	Vish  bool          `json:",omitempty"` // the program of vish/stress, which never ends by itself
}

// memoryFile holds the memory limit of a container, in bytes or "max".
const memoryFile = "/sys/fs/cgroup/memory.max"

// allocation is how long it takes to fill the requested memory.
const allocation = 100 * time.Millisecond

// Step implements kernel.Program.
func (s *Stress) Step(p *kernel.Process) kernel.Wait {
	bytes, busy, ok := stressed(p.Args)
	busy = busy || s.Vish
	if _, told := p.TakeSignal(); told {
		return kernel.Done(goTermCode)
	}
	switch {
	case !ok:
		p.Run.Program = notEmulated(base(p.Args), "with these arguments")
		return kernel.Wait{}
	case !busy:
		say(p, 1, "`stress' imposes certain types of compute stress on your system\n\nUsage: stress [OPTION [ARG]] ...\n")
		return kernel.Done(0)
	case !s.Begun:
		s.Begun = true
		if s.Vish {
			p.Handle(kernel.SIGTERM)
			say(p, 2, vishSays(p))
			return kernel.Wait{For: kernel.Time, Until: p.In(allocation)}
		}
		say(p, 1, fmt.Sprintf("stress: info: [%d] dispatching hogs: %d cpu, 0 io, %d vm, 0 hdd\n", p.PID,
			stressCount(p.Args, "cpu", "c", "cpus"), stressCount(p.Args, "vm", "m", "")))
		if d, limited := stressTime(p.Args); limited {
			s.Took, s.Until = d, p.In(d)
		}
		return kernel.Wait{For: kernel.Time, Until: p.In(allocation)}
	}
	if limit, limited := memoryLimit(p); limited && bytes > limit {
		p.Use(1 << 50) // more than any limit, so that the OOM killer ends it
		return kernel.Done(137)
	}
	switch {
	case s.Until == 0:
		return kernel.Wait{For: kernel.Signals, Interruptible: true}
	case p.Since() < s.Until:
		return kernel.Wait{For: kernel.Time, Until: s.Until}
	}
	say(p, 1, fmt.Sprintf("stress: info: [%d] successful run completed in %ds\n", p.PID, int(s.Took.Seconds())))
	return kernel.Done(0)
}

// vishSays is the first output of vish/stress, as glog formats it.
// Source: github.com/vishh/stress main.go
func vishSays(p *kernel.Process) string {
	at := p.Now().Format("0102 15:04:05.000000")
	line := func(number int, text string) string {
		return fmt.Sprintf("I%s %7d main.go:%d] %s\n", at, p.PID, number, text)
	}
	text := line(26, fmt.Sprintf("Allocating %q memory, in %q chunks, with a %s sleep between allocations",
		flag(p.Args, "mem-total", "0"), flag(p.Args, "mem-alloc-size", "4Ki"), flag(p.Args, "mem-alloc-sleep", "1ms")))
	for range stressCount(p.Args, "cpus") {
		text += line(39, "Spawning a thread to consume CPU")
	}
	return text + line(29, "Allocated "+strconv.Quote(flag(p.Args, "mem-total", "0"))+" memory")
}

func memoryLimit(p *kernel.Process) (bytes int64, limited bool) {
	text, err := p.FS().ReadFile(memoryFile)
	if err != nil {
		return 0, false
	}
	bytes, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return bytes, err == nil
}

// stressed returns how much memory the arguments request, and whether they request any work.
func stressed(args []string) (bytes int64, busy, ok bool) {
	for _, arg := range args[min(1, len(args)):] {
		if strings.HasPrefix(arg, "-") {
			busy = true
		}
	}
	workers := stressCount(args, "vm", "m", "")
	size := flag(args, "vm-bytes", "256M")
	if workers == 0 {
		workers, size = 1, flag(args, "mem-total", "0")
	}
	bytes, ok = sizeOf(size)
	if !ok || workers > 1<<20 || bytes > 1<<42 {
		return 0, false, false
	}
	return bytes * int64(workers), busy, true
}

func stressCount(args []string, names ...string) int {
	for _, name := range names {
		if name != "" {
			if n := number(args, name, 0); n > 0 {
				return n
			}
		}
	}
	return 0
}

func stressTime(args []string) (time.Duration, bool) {
	text := flag(args, "timeout", flag(args, "t", ""))
	if text == "" {
		return 0, false
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < 1e9 {
		return time.Duration(n) * time.Second, true
	}
	text, days := strings.CutSuffix(text, "d")
	if days {
		text += "h"
	}
	d, err := time.ParseDuration(text)
	if days {
		d *= 24
	}
	return d, err == nil && d >= 0
}

// sizeOf parses a size such as 250M, 150Mi or 1g, in powers of 1024.
func sizeOf(text string) (int64, bool) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "B"), "i")
	shift := 0
	if n := len(text); n > 0 {
		switch text[n-1] | 0x20 {
		case 'k':
			shift = 10
		case 'm':
			shift = 20
		case 'g':
			shift = 30
		}
		if shift > 0 {
			text = text[:n-1]
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > 1<<42>>shift {
		return 0, false
	}
	return n << shift, true
}

func init() {
	kernel.Register("stress", &Stress{})
	kernel.Provide("stress", func([]string) kernel.Program { return &Stress{} })
	kernel.Provide("vish-stress", func([]string) kernel.Program { return &Stress{Vish: true} })
}
