package emulator

import (
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Opaque stands in for a program that is not known: it ends on a signal or after a time, and
// answers on every port.
type Opaque struct {
	Forever  bool          `json:"forever,omitempty"`
	RunTime  time.Duration `json:"runTime,omitempty"` // unless Forever
	ExitCode int           `json:"exitCode,omitempty"`

	// After TERM it continues for StopTime and ends with TermCode; with IgnoresTerm, TERM has no
	// effect.
	IgnoresTerm bool          `json:"ignoresTerm,omitempty"`
	StopTime    time.Duration `json:"stopTime,omitempty"`
	TermCode    int           `json:"termCode,omitempty"`

	// Silent makes it answer on no port.
	Silent bool `json:"silent,omitempty"`

	// Says is a line that it writes to standard error when it starts; empty for none.
	Says string `json:"says,omitempty"`

	Began bool          `json:"began,omitempty"`
	End   time.Duration `json:"end,omitempty"` // since the kernel's start
}

// opaqueProgram is the name under which the kernel starts an Opaque.
const opaqueProgram = "rowlock-opaque"

// opaqueFile is the executable of an Opaque that cannot be at the path that the command line names.
const opaqueFile = "/.entrypoint"

func init() {
	kernel.Register("opaque", &Opaque{})
	kernel.Provide(opaqueProgram, func([]string) kernel.Program { return &Opaque{Forever: true} })
}

// Step implements kernel.Program.
func (o *Opaque) Step(p *kernel.Process) kernel.Wait {
	if !o.Began {
		o.Began, o.End = true, p.In(o.RunTime)
		if o.Says != "" {
			_, _ = p.Write(2, []byte(o.Says+"\n")) // what does not fit into its output is lost
		}
		for _, sig := range []kernel.Signal{kernel.SIGTERM, kernel.SIGINT, kernel.SIGQUIT} {
			if !o.IgnoresTerm {
				p.Handle(sig)
			}
		}
	}
	if _, stop := p.TakeSignal(); stop {
		o.ExitCode = o.TermCode
		o.Forever, o.End = false, p.In(o.StopTime)
	}
	switch {
	case o.Forever:
		return kernel.Wait{For: kernel.Signals, Interruptible: true}
	case p.Since() >= o.End:
		return kernel.Done(o.ExitCode)
	}
	return kernel.Wait{For: kernel.Time, Until: o.End, Interruptible: true}
}

// Serve implements Server.
func (o *Opaque) Serve(_ *kernel.Process, q kernel.Query) kernel.Answer {
	switch {
	case o.Silent:
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	case q.Kind == kernel.QueryHTTP:
		return kernel.Answer{Status: 200}
	case q.Kind == kernel.QueryDNS:
		return kernel.Answer{Outcome: kernel.OutcomeTimeout} // it resolves no names
	}
	return kernel.Answer{}
}
