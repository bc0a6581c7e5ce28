package program

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func init() {
	kernel.Register("xargs", &Xargs{})
	kernel.Provide("xargs", func([]string) kernel.Program { return &Xargs{} })
}

// Xargs runs a command with the words of its input as arguments, one run after the other.
type Xargs struct {
	Begun   bool
	Command kernel.Texts
	Max     int         `json:",omitempty"` // words of one run
	Lines   int         `json:",omitempty"` // lines of one run
	Replace kernel.Text `json:",omitempty"` // the text that a whole line replaces
	Sep     kernel.Text `json:",omitempty"` // ends a word; "" means white space, with quotes
	Skip    bool        `json:",omitempty"` // no run without words
	Trace   bool        `json:",omitempty"`

	Input []byte         `json:",omitempty"`
	Read  bool           `json:",omitempty"`
	Runs  []kernel.Texts `json:",omitempty"` // the arguments of the runs to come
	Child int            `json:",omitempty"`
	Code  int            `json:",omitempty"`
}

// Step implements kernel.Program.
func (x *Xargs) Step(p *kernel.Process) kernel.Wait {
	if !x.Begun {
		if text := x.parse(p.Args[1:]); text != "" {
			return fail(p, text)
		}
		x.Begun = true
	}
	if !x.Read {
		data, err := p.Read(0, kernel.PipeSize)
		switch {
		case errors.Is(err, kernel.ErrWouldBlock):
			return kernel.Wait{For: kernel.Readable}
		case err == nil:
			p.Use(int64(len(data)))
			if x.Input = append(x.Input, data...); len(x.Input) > 1<<20 {
				return fail(p, "rowlock: more than a megabyte of input is not emulated")
			}
			return kernel.Wait{Steps: len(data) / 128}
		case !errors.Is(err, io.EOF):
			return fail(p, vfs.Reason(err))
		}
		x.Read = true
		if text := x.plan(); text != "" {
			return fail(p, text)
		}
		x.Input = nil
	}
	if x.Child != 0 {
		child, found := p.Reap(x.Child)
		if child == nil && found {
			return kernel.Wait{For: kernel.Child, PID: x.Child}
		}
		x.Child = 0
		if child != nil && child.Code != 0 {
			x.Code = 123
			switch {
			case child.Code == 255:
				complain(p, x.Command[0]+": exited with status 255; aborting")
				return kernel.Done(124)
			case child.Killed:
				complain(p, x.Command[0]+": terminated by signal "+strconv.Itoa(child.Code-128))
				return kernel.Done(125)
			}
		}
	}
	if len(x.Runs) == 0 {
		return kernel.Done(x.Code)
	}
	args := x.Runs[0]
	x.Runs = x.Runs[1:]
	if x.Trace {
		_, _ = p.Write(2, []byte(strings.Join(args, " ")+"\n"))
	}
	child, status := start(p, args, p.Env)
	if child == nil {
		return kernel.Done(status)
	}
	x.Child = child.PID
	if fd, err := child.OpenPath("/dev/null", 0, 0, 10); err == nil {
		_ = child.Dup(fd, 0)
		_ = child.Close(fd)
	}
	return kernel.Wait{For: kernel.Child, PID: x.Child}
}

func (x *Xargs) parse(args []string) string {
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			break
		}
		switch arg {
		case "--no-run-if-empty":
			arg = "-r"
		case "--null":
			arg = "-0"
		}
		for i := 1; i < len(arg); i++ {
			value := arg[i+1:]
			switch arg[i] {
			case 'r':
				x.Skip = true
				continue
			case 't':
				x.Trace = true
				continue
			case '0':
				x.Sep = "\x00"
				continue
			}
			if value == "" && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			n, err := strconv.Atoi(value)
			switch arg[i] {
			case 'n':
				x.Max = n
			case 'L':
				x.Lines = n
			case 'P', 's':
			case 'I':
				x.Replace, err = kernel.Text(value), nil
			case 'd':
				x.Sep, err = kernel.Text(strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\0`, "\x00").Replace(value)), nil
			default:
				return "rowlock: option -" + arg[i:i+1] + " is not emulated"
			}
			if err != nil || value == "" {
				return "invalid number '" + value + "'"
			}
			break
		}
	}
	if len(args) == 0 {
		args = []string{"echo"}
	}
	x.Command = slices.Clone(args)
	return ""
}

// plan divides the input into runs.
func (x *Xargs) plan() string {
	text := string(x.Input)
	var words []string
	var ends []int // the number of words up to the end of each line
	switch {
	case x.Sep != "":
		words = strings.Split(strings.TrimSuffix(text, string(x.Sep)), string(x.Sep))
		if text == "" {
			words = nil
		}
	case x.Replace != "" || x.Lines > 0:
		for line := range strings.Lines(text) {
			line = strings.TrimLeft(strings.TrimSuffix(line, "\n"), " \t")
			switch {
			case line == "":
			case x.Replace != "":
				words = append(words, line)
			default:
				more, wrong := splitWords(line)
				if wrong != "" {
					return wrong
				}
				words = append(words, more...)
				ends = append(ends, len(words))
			}
		}
	default:
		var wrong string
		if words, wrong = splitWords(text); wrong != "" {
			return wrong
		}
	}
	if len(words) == 0 && (x.Skip || x.Replace != "") {
		return ""
	}
	for from := 0; from < len(words) || from == 0; {
		to := len(words)
		switch {
		case x.Replace != "":
			to = from + 1
			run := make([]string, len(x.Command))
			for i, c := range x.Command {
				run[i] = strings.ReplaceAll(c, string(x.Replace), words[from])
			}
			x.Runs = append(x.Runs, run)
			from = to
			continue
		case x.Lines > 0 && len(ends) > 0:
			n := min(x.Lines, len(ends))
			to = ends[n-1]
			ends = ends[n:]
		case x.Max > 0:
			to = min(to, from+x.Max)
		}
		x.Runs = append(x.Runs, append(slices.Clone(x.Command), words[from:to]...))
		if from = to; to == 0 {
			break
		}
	}
	return ""
}

// splitWords splits text at white space; quotes and backslashes protect white space.
func splitWords(text string) ([]string, string) {
	var words []string
	var b strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
			in = true
		case c == ' ' || c == '\t' || c == '\n':
			if in {
				words = append(words, b.String())
				b.Reset()
			}
			in = false
		default:
			b.WriteByte(c)
			in = true
		}
	}
	if quote != 0 {
		return nil, "unmatched quote"
	}
	if in {
		words = append(words, b.String())
	}
	return words, ""
}
