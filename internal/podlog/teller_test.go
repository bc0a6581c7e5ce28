package podlog_test

import (
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Teller is a program for these tests: it does one thing for each of its arguments, "say TEXT",
// "rest SECONDS", "ask NAME" of the world outside, or "again" from the beginning.
type Teller struct {
	Next  int
	Until time.Duration
	Asked bool
}

func init() {
	kernel.Register("teller", &Teller{})
	kernel.Provide("teller", func([]string) kernel.Program { return &Teller{} })
}

// Step implements kernel.Program.
func (s *Teller) Step(p *kernel.Process) kernel.Wait {
	if s.Next+1 >= len(p.Args) {
		return kernel.Done(0)
	}
	verb, rest, _ := strings.Cut(p.Args[s.Next+1], " ")
	switch verb {
	case "say":
		_, _ = p.Write(1, []byte(rest+"\n"))
	case "rest":
		if s.Until == 0 {
			seconds, _ := strconv.Atoi(rest)
			s.Until = p.In(time.Duration(seconds) * time.Second)
		}
		if p.Since() < s.Until {
			return kernel.Wait{For: kernel.Time, Until: s.Until}
		}
		s.Until = 0
	case "ask":
		if !s.Asked {
			s.Asked = true
			return p.Ask(kernel.Query{Kind: kernel.QueryDNS, Name: kernel.Text(rest)})
		}
	case "again":
		s.Next = -1
	}
	s.Next++
	return kernel.Wait{}
}
