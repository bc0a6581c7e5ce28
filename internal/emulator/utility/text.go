package utility

import (
	"bytes"
	"strconv"
	"strings"
)

var textUtilities = map[string]Utility{
	"head": {stream: func() Stream { return &head{} }}, "tail": {stream: func() Stream { return &tail{} }},
	"wc":  {stream: func() Stream { return &wc{} }},
	"tee": {stream: func() Stream { return &tee{} }},
}

// size parses a number with a unit: b for blocks of 512, k, m, g for powers of 1024, kB and the
// like for powers of 1000.
func size(text string) (n int64, ok bool) {
	digits := leadingDigits(text)
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	if err != nil {
		return 0, false
	}
	unit, factor := text[digits:], int64(1)
	switch {
	case unit == "":
	case unit == "b":
		factor = 512
	case unit == "c":
	case unit == "w":
		factor = 2
	default:
		power := strings.IndexByte("KMGTP", unit[0]&^0x20) + 1
		if power == 0 {
			return 0, false
		}
		by := int64(1024)
		switch unit[1:] {
		case "", "iB":
		case "B", "b", "D":
			by = 1000
		default:
			return 0, false
		}
		for range power {
			factor *= by
		}
	}
	if n > 1<<62/factor {
		return 0, false
	}
	return n * factor, true
}

// oldStyle turns -5 into -n 5.
func oldStyle(args []string) []string {
	if len(args) > 1 && len(args[1]) > 1 && args[1][0] == '-' && leadingDigits(args[1][1:]) == len(args[1])-1 {
		return append([]string{args[0], "-n", args[1][1:]}, args[2:]...)
	}
	return args
}

// linesPerStep is how many lines are counted in a step of work.
const linesPerStep = 8

// headers prints the names of files before their text, if requested.
type headers struct {
	Shown bool `json:"shown,omitempty"` // one was printed
}

func (h *headers) show(c *Call, o *options, file string) {
	quiet, verbose := o.latest("qv") == 'q', o.latest("qv") == 'v'
	if quiet || len(o.rest) < 2 && !verbose {
		return
	}
	if h.Shown {
		c.print("\n")
	}
	h.Shown = true
	if file == "-" {
		file = "standard input"
	}
	c.printf("==> %s <==\n", file)
}

var headSyntax = syntax{short: "n:c:qv", long: map[string]byte{"lines:": 'n', "bytes:": 'c', "quiet": 'q', "silent": 'q', "verbose": 'v'}}

// head prints the beginnings of files.
type head struct {
	Feed    feed    `json:"feed"`
	Headers headers `json:"headers"`
	Left    int64   `json:"left"`           // how much of this file is still to be printed
	Kept    []byte  `json:"kept,omitempty"` // with a negative count: what may belong to the omitted end
	Failed  bool    `json:"failed,omitempty"`

	o      *options
	count  int64
	bytes  bool
	allBut bool
}

// parseCount parses the command line of head and tail: the number, 10 by default, whether it counts
// bytes or lines, and the sign before it, 0 for none.
func parseCount(c *Call) (o *options, count int64, bytes bool, sign byte) {
	called := *c
	called.Args = oldStyle(c.Args)
	o, count = called.parse(headSyntax), 10
	which := o.latest("nc")
	if which == 0 {
		return o, count, false, 0
	}
	text, _ := o.last(which)
	n, ok := size(strings.TrimLeft(text, "-+"))
	if !ok {
		c.fatal(1, "invalid number '%s'", text)
	}
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign = text[0]
	}
	return o, n, which == 'c', sign
}

// Chunk implements Stream.
func (u *head) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	var sign byte
	u.o, u.count, u.bytes, sign = parseCount(c)
	u.allBut = sign == '-'
	next := u.Feed.run(c, orStdin(u.o.rest), in, eof, u)
	return next, exitIf(u.Failed)
}

func (u *head) start(c *Call, file string) {
	u.Headers.show(c, u.o, file)
	u.Left, u.Kept = u.count, nil
}

func (u *head) take(c *Call, data []byte) verdict {
	if u.allBut {
		u.Kept = append(u.Kept, data...)
		c.need(int64(len(u.Kept)))
		c.step(int64(bytes.Count(data, []byte("\n"))) / linesPerStep)
		cut := u.cutOff()
		c.put(c.Stdout, u.Kept[:cut])
		u.Kept = u.Kept[cut:]
		return more
	}
	if u.bytes {
		n := min(int64(len(data)), u.Left)
		c.put(c.Stdout, data[:n])
		u.Left -= n
	} else {
		end, before := 0, u.Left
		for u.Left > 0 && end < len(data) {
			i := bytes.IndexByte(data[end:], '\n')
			if i < 0 {
				end = len(data)
				break
			}
			end += i + 1
			u.Left--
		}
		c.step((before - u.Left) / linesPerStep)
		c.put(c.Stdout, data[:end])
	}
	if u.Left == 0 {
		return nextFile
	}
	return more
}

// cutOff returns how much of Kept cannot belong to the omitted end.
func (u *head) cutOff() int {
	if u.bytes {
		return int(max(0, int64(len(u.Kept))-u.count))
	}
	lines := int64(bytes.Count(u.Kept, []byte("\n")))
	end := 0
	for ; lines > u.count; lines-- {
		end += bytes.IndexByte(u.Kept[end:], '\n') + 1
	}
	return end
}

func (u *head) finish(c *Call, _ string) verdict {
	if u.allBut && !u.bytes && len(u.Kept) > 0 && u.Kept[len(u.Kept)-1] != '\n' {
		u.Kept = append(u.Kept, '\n') // a last line without a newline counts
		unended := u.cutOff()
		c.put(c.Stdout, u.Kept[:unended])
	}
	return more
}

func (u *head) failed(c *Call, file string, err error) {
	if c.GNU {
		c.complain("cannot open '%s' for reading: %s", file, reason(err))
	} else {
		c.complain("%s: %s", file, reason(err))
	}
	u.Failed = true
}

// tail prints the ends of files. -f needs to wait, and is in the package program.
type tail struct {
	Feed    feed    `json:"feed"`
	Headers headers `json:"headers"`
	Skip    int64   `json:"skip,omitempty"` // of "+N": how much of this file is still to be skipped
	Kept    []byte  `json:"kept,omitempty"` // what may belong to the end
	Failed  bool    `json:"failed,omitempty"`

	o     *options
	count int64
	bytes bool
	from  bool // the count says where to begin
}

// Chunk implements Stream.
func (u *tail) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	var sign byte
	u.o, u.count, u.bytes, sign = parseCount(c)
	u.from = sign == '+'
	next := u.Feed.run(c, orStdin(u.o.rest), in, eof, u)
	return next, exitIf(u.Failed)
}

func (u *tail) start(c *Call, file string) {
	u.Headers.show(c, u.o, file)
	u.Skip, u.Kept = max(0, u.count-1), nil
}

func (u *tail) take(c *Call, data []byte) verdict {
	if u.from {
		for u.Skip > 0 && len(data) > 0 {
			n := 1
			if !u.bytes {
				if n = bytes.IndexByte(data, '\n') + 1; n == 0 {
					return more
				}
			}
			data = data[n:]
			u.Skip--
		}
		c.put(c.Stdout, data)
		return more
	}
	u.Kept = append(u.Kept, data...)
	u.Kept = u.Kept[u.beginning():]
	c.need(int64(len(u.Kept)))
	return more
}

// beginning returns where in Kept the end to print begins.
func (u *tail) beginning() int {
	if u.bytes {
		return int(max(0, int64(len(u.Kept))-u.count))
	}
	end := len(u.Kept)
	if end > 0 && u.Kept[end-1] == '\n' {
		end--
	}
	for n := u.count; ; n-- {
		if n == 0 {
			return min(len(u.Kept), end+1)
		}
		if end = bytes.LastIndexByte(u.Kept[:end], '\n'); end < 0 {
			return 0
		}
	}
}

func (u *tail) finish(c *Call, _ string) verdict {
	if u.count == 0 && !u.from {
		u.Kept = nil
	}
	c.put(c.Stdout, u.Kept)
	u.Kept = nil
	return more
}

func (u *tail) failed(c *Call, file string, err error) {
	if c.GNU {
		c.complain("cannot open '%s' for reading: %s", file, reason(err))
	} else {
		c.cantOpen(file, err)
	}
	u.Failed = true
}

// tee writes its input to standard output and to files.
type tee struct {
	Ready  bool        `json:"ready,omitempty"`
	Files  []*openFile `json:"files,omitempty"`
	Failed bool        `json:"failed,omitempty"`
}

// Chunk implements Stream.
func (u *tee) Chunk(c *Call, in []byte, eof bool) (Next, int) {
	if !u.Ready {
		// -i has no effect: there are no interrupts.
		o := c.parse(syntax{short: "ai", long: map[string]byte{"append": 'a', "ignore-interrupts": 'i'}})
		u.Ready = true
		for _, file := range o.rest {
			f, err := c.create(file, o.has('a'))
			if err != nil {
				c.cantOpenOut(file, err)
				u.Failed = true
				continue
			}
			u.Files = append(u.Files, f)
		}
		return Input, 0
	}
	for _, f := range u.Files {
		if err := f.write(c, in); err != nil && !f.Broken {
			f.Broken, u.Failed = true, true
			c.complain("%s: %s", f.Name, reason(err))
		}
	}
	c.put(c.Stdout, in)
	if !eof {
		return Input, 0
	}
	for _, f := range u.Files {
		f.close(c)
	}
	return Done, exitIf(u.Failed)
}
