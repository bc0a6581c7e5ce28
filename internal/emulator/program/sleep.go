package program

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("sleep", &Sleep{})
	kernel.Provide("sleep", func([]string) kernel.Program { return &Sleep{} })
}

// Sleep waits for the sum of its arguments, with fractions and the units s, m, h and d, or forever
// for "infinity".
type Sleep struct {
	Until time.Duration // since the kernel's start; 0 before the first step
}

// Step implements kernel.Program.
func (s *Sleep) Step(p *kernel.Process) kernel.Wait {
	if s.Until > 0 {
		if p.Since() >= s.Until {
			return kernel.Done(0)
		}
		return s.wait()
	}
	if len(p.Args) < 2 {
		return fail(p, "missing operand")
	}
	var sum time.Duration
	for _, a := range p.Args[1:] {
		d, ok := parseSeconds(a)
		if !ok {
			return fail(p, "invalid number '"+a+"'")
		}
		if sum += d; sum < 0 {
			sum = math.MaxInt64
		}
	}
	if sum == 0 {
		return kernel.Done(0)
	}
	s.Until = p.In(sum)
	return s.wait()
}

func (s *Sleep) wait() kernel.Wait {
	if s.Until == math.MaxInt64 {
		return kernel.Wait{For: kernel.Signals}
	}
	return kernel.Wait{For: kernel.Time, Until: s.Until}
}

// parseSeconds parses a time of sleep and timeout.
func parseSeconds(s string) (time.Duration, bool) {
	if s == "inf" || s == "infinity" {
		return math.MaxInt64, true
	}
	unit := time.Second
	if n := len(s) - 1; n > 0 {
		if u, ok := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[s[n]]; ok {
			unit, s = u, s[:n]
		}
	}
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false
	}
	if ns := v * float64(unit); ns < math.MaxInt64 {
		return time.Duration(ns), true
	}
	return math.MaxInt64, true
}
