package shell

import (
	"bytes"
	"io"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
)

// utility runs a utility that needs no input, as a builtin.
func (s *Shell) utility(args []string) kernel.Wait { return s.utilityTo(args, output{s, 1}) }

func (s *Shell) utilityTo(args []string, stdout io.Writer) kernel.Wait {
	u, ok := catalogue.Lookup(args[0])
	if !ok || u.IsStream() {
		return s.start1(false)
	}
	c := s.p.Call(args, nil)
	c.GNU = s.Dialect == bash
	var wrong bytes.Buffer
	c.Stdout, c.Stderr = stdout, &wrong
	s.Status = u.Run(c, nil)
	for line := range strings.Lines(wrong.String()) {
		s.complain(s.worded(args[0], strings.TrimSuffix(line, "\n")))
	}
	s.extra += int(c.Steps() / 16)
	return s.again()
}

// worded turns a utility's message into that of a shell with the utility as a builtin.
func (s *Shell) worded(name, text string) string {
	rest, ok := strings.CutPrefix(text, name+": ")
	if !ok {
		return text
	}
	number, bad := strings.CutSuffix(rest, ": bad number")
	switch {
	case bad && s.Dialect == dash:
		return name + ": Illegal number: " + number
	case bad && s.Dialect == bash:
		return name + ": " + number + ": integer expression expected"
	case s.Dialect == ash:
		return rest
	}
	return text
}

// output is a descriptor of the shell, as a writer.
type output struct {
	s  *Shell
	fd int
}

func (o output) Write(data []byte) (int, error) {
	if err := o.s.write(o.fd, data); err != nil {
		return 0, err
	}
	return len(data), nil
}

func (s *Shell) echo(args []string) kernel.Wait {
	plain := s.Dialect != dash
	for i, a := range args[1:] {
		if i == 0 && strings.HasPrefix(a, "-") || s.Dialect == dash && strings.Contains(a, `\`) {
			plain = false
		} else if s.Dialect == dash && i == 0 {
			plain = true
		}
		if !plain {
			break
		}
	}
	if plain || len(args) == 1 {
		s.Status = 0
		if err := s.print(strings.Join(args[1:], " ") + "\n"); err != nil {
			return s.fail("echo: write error: "+reason(err), 1)
		}
		return s.again()
	}
	if s.Dialect == dash {
		end := "\n"
		rest := args[1:]
		if rest[0] == "-n" {
			end, rest = "", rest[1:]
		}
		return s.utility([]string{"printf", "%b" + end, strings.Join(rest, " ")})
	}
	return s.utility(args)
}

func (s *Shell) printf(args []string) kernel.Wait {
	if len(args) > 2 && args[1] == "-v" && s.Dialect == bash {
		name := args[2]
		var b bytes.Buffer
		w := s.utilityTo(append([]string{"printf"}, args[3:]...), &b)
		s.set(name, b.String())
		return w
	}
	return s.utility(args)
}

func (s *Shell) let(args []string) kernel.Wait {
	for _, a := range args[1:] {
		v, err := s.arith(a)
		if err != nil {
			return s.fail("let: "+err.Error(), 1)
		}
		s.Status = int(truth(v == 0))
	}
	return s.again()
}

func (s *Shell) times([]string) kernel.Wait {
	_ = s.print("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n")
	s.Status = 0
	return s.again()
}
