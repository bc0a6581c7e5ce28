package shell

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// reading holds the parsed arguments of read.
type reading struct {
	raw     bool
	silent  bool // typed input is not shown
	prompt  string
	timeout time.Duration
	timed   bool
	count   int
	exact   bool
	delim   byte
	fd      int
	list    string
	names   []string
}

func (s *Shell) parseRead(args []string) (reading, string) {
	r := reading{delim: '\n'}
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		arg := args[0][1:]
		args = args[1:]
		if arg == "-" {
			break
		}
		for i := range len(arg) {
			if strings.IndexByte("ptnNdua", arg[i]) < 0 {
				switch arg[i] {
				case 'r':
					r.raw = true
				case 's':
					r.silent = true
				case 'e':
				default:
					return r, "read: illegal option -" + string(arg[i])
				}
				continue
			}
			value := arg[i+1:]
			if value == "" {
				if len(args) == 0 {
					return r, "read: -" + string(arg[i]) + ": option requires an argument"
				}
				value, args = args[0], args[1:]
			}
			n, err := strconv.Atoi(value)
			switch arg[i] {
			case 'p':
				r.prompt, err = value, nil
			case 't':
				var sec float64
				sec, err = strconv.ParseFloat(value, 64)
				r.timeout, r.timed = time.Duration(sec*float64(time.Second)), true
			case 'n', 'N':
				r.count, r.exact = n, arg[i] == 'N'
			case 'd':
				r.delim, err = 0, nil
				if value != "" {
					r.delim = value[0]
				}
			case 'u':
				r.fd = n
			case 'a':
				r.list, err = value, nil
			}
			if err != nil {
				return r, "read: " + value + ": invalid number"
			}
			break
		}
	}
	r.names = args
	return r, ""
}

// read reads a line and assigns its fields.
func (s *Shell) read(args []string) kernel.Wait {
	r, wrong := s.parseRead(args[1:])
	if wrong != "" {
		return s.fail(wrong, 2)
	}
	if s.Busy == nil {
		s.Busy = &busy{Kind: busyRead}
		if r.prompt != "" && s.Dialect != bash {
			_ = s.write(2, []byte(r.prompt))
		}
		if r.timed {
			s.Busy.Until = s.p.In(r.timeout)
		}
		if t := s.p.TerminalAt(r.fd); t != nil && r.silent && !t.NoEcho {
			t.NoEcho, s.Busy.Silent = true, true
		}
	}
	b := s.Busy
	for {
		if r.count > 0 && runes(string(b.Data)) >= r.count {
			return s.assignRead(r, 0)
		}
		data, err := s.readSome(r)
		switch {
		case err == kernel.ErrWouldBlock:
			if r.timed && s.p.Since() >= b.Until {
				return s.assignRead(r, map[dialect]int{bash: 142, ash: 1, dash: 1}[s.Dialect])
			}
			return s.stay(kernel.Wait{For: kernel.Readable, FD: r.fd, Until: b.Until})
		case err != nil:
			return s.assignRead(r, 1)
		}
		s.extra++
		b.Data = append(b.Data, data...)
		n := len(b.Data)
		if b.Data[n-1] != r.delim || r.exact {
			continue
		}
		if !r.raw && r.delim == '\n' && escapedEnd(b.Data[:n-1]) {
			b.Data = b.Data[:n-2]
			continue
		}
		b.Data = b.Data[:n-1]
		return s.assignRead(r, 0)
	}
}

func (s *Shell) readSome(r reading) ([]byte, error) {
	if r.count > 0 || r.delim != '\n' {
		return s.p.Read(r.fd, 1)
	}
	return s.p.ReadLine(r.fd, 4096)
}

// escapedEnd reports whether text ends in a backslash that is not itself escaped.
func escapedEnd(text []byte) bool {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// assignRead assigns the line that was read.
func (s *Shell) assignRead(r reading, status int) kernel.Wait {
	text := string(s.Busy.Data)
	s.showTyping(r.fd)
	s.Busy, s.Status = nil, status
	var b strings.Builder
	var escaped []bool
	for i := 0; i < len(text); i++ {
		is := !r.raw && text[i] == '\\' && i+1 < len(text)
		if is {
			i++
		}
		if text[i] != 0 {
			b.WriteByte(text[i])
			escaped = append(escaped, is)
		}
	}
	text = b.String()
	ifs, set := s.lookup("IFS")
	if !set {
		ifs = " \t\n"
	}
	names := r.names
	switch {
	case r.list != "":
		v := variable{IsList: true}
		for i, f := range readFields(text, escaped, ifs, 1<<20) {
			put(&v.List, i, kernel.Text(f))
		}
		s.replaceVar(r.list, &v)
		return s.again()
	case len(names) == 0:
		s.set("REPLY", text)
		return s.again()
	case r.exact:
		s.set(names[0], text)
		return s.again()
	}
	fields := readFields(text, escaped, ifs, len(names))
	for i, name := range names {
		value := ""
		if i < len(fields) {
			value = fields[i]
		}
		if !validName(name) {
			return s.fail("read: "+name+": bad variable name", 2)
		}
		if !s.set(name, value) {
			s.Status = 1
		}
	}
	return s.again()
}

// readFields splits a line into at most n fields; the last one has the rest.
func readFields(text string, escaped []bool, ifs string, n int) []string {
	sep := func(i int) bool { return !escaped[i] && strings.IndexByte(ifs, text[i]) >= 0 }
	space := func(i int) bool { return sep(i) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') }
	i := 0
	for i < len(text) && space(i) {
		i++
	}
	var fields []string
	for i < len(text) {
		if len(fields) == n-1 {
			end := len(text)
			for end > i && space(end-1) {
				end--
			}
			if end > i && sep(end-1) && !space(end-1) && !slices.ContainsFunc(indexes(i, end-1), sep) {
				end--
			}
			return append(fields, text[i:end])
		}
		start := i
		for i < len(text) && !sep(i) {
			i++
		}
		fields = append(fields, text[start:i])
		for i < len(text) && space(i) {
			i++
		}
		if i < len(text) && sep(i) && !space(i) {
			i++
			for i < len(text) && space(i) {
				i++
			}
		}
	}
	return fields
}

func indexes(from, to int) []int {
	all := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

func (s *Shell) mapfile(args []string) kernel.Wait {
	name, cut := "MAPFILE", false
	for _, a := range args[1:] {
		switch {
		case a == "-t":
			cut = true
		case strings.HasPrefix(a, "-"):
			return s.foreign(args[0] + " " + a + " is not emulated")
		default:
			name = a
		}
	}
	if s.Busy == nil {
		s.Busy = &busy{Kind: busyRead}
	}
	for {
		data, err := s.p.Read(0, 4096)
		if err == kernel.ErrWouldBlock {
			return s.stay(kernel.Wait{For: kernel.Readable})
		}
		if err != nil {
			break
		}
		if s.Busy.Data = append(s.Busy.Data, data...); len(s.Busy.Data) > 1<<20 {
			return s.foreign(args[0] + " of more than a megabyte is not emulated")
		}
	}
	v := variable{IsList: true}
	for i, line := range strings.SplitAfter(string(s.Busy.Data), "\n") {
		if line == "" {
			break
		}
		if cut {
			line = strings.TrimSuffix(line, "\n")
		}
		put(&v.List, i, kernel.Text(line))
	}
	s.Busy, s.Status = nil, 0
	s.extra += len(v.List)
	s.replaceVar(name, &v)
	return s.again()
}
