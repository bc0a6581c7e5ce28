package text

import (
	"bytes"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// oldStyle turns -5 into -n 5.
func oldStyle(args []string) []string {
	if len(args) > 1 && len(args[1]) > 1 && args[1][0] == '-' && utility.LeadingDigits(args[1][1:]) == len(args[1])-1 {
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

func (h *headers) show(c *utility.Call, o *utility.Options, file string) {
	quiet, verbose := o.Latest("qv") == 'q', o.Latest("qv") == 'v'
	if quiet || len(o.Rest) < 2 && !verbose {
		return
	}
	if h.Shown {
		c.Print("\n")
	}
	h.Shown = true
	if file == "-" {
		file = "standard input"
	}
	c.Printf("==> %s <==\n", file)
}

var headSyntax = utility.Syntax{Short: "n:c:qv", Long: map[string]byte{
	"lines:": 'n', "bytes:": 'c', "quiet": 'q', "silent": 'q', "verbose": 'v',
}}

// head prints the beginnings of files.
type head struct {
	Feed    utility.Feed `json:"feed"`
	Headers headers      `json:"headers"`
	Left    int64        `json:"left"`           // how much of this file is still to be printed
	Kept    []byte       `json:"kept,omitempty"` // with a negative count: what may belong to the omitted end
	Failed  bool         `json:"failed,omitempty"`

	o      *utility.Options
	count  int64
	bytes  bool
	allBut bool
}

// parseCount parses the command line of head and tail: the number, 10 by default, whether it counts
// bytes or lines, and the sign before it, 0 for none.
func parseCount(c *utility.Call) (o *utility.Options, count int64, bytes bool, sign byte) {
	called := *c
	called.Args = oldStyle(c.Args)
	o, count = called.Parse(headSyntax), 10
	which := o.Latest("nc")
	if which == 0 {
		return o, count, false, 0
	}
	text, _ := o.Last(which)
	n, ok := utility.ParseSize(strings.TrimLeft(text, "-+"))
	if !ok {
		c.Fatal(1, "invalid number '%s'", text)
	}
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		sign = text[0]
	}
	return o, n, which == 'c', sign
}

// Chunk implements Stream.
func (u *head) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	var sign byte
	u.o, u.count, u.bytes, sign = parseCount(c)
	u.allBut = sign == '-'
	next := u.Feed.Run(c, utility.OrStdin(u.o.Rest), in, eof, u)
	return next, utility.ExitIf(u.Failed)
}

func (u *head) Start(c *utility.Call, file string) {
	u.Headers.show(c, u.o, file)
	u.Left, u.Kept = u.count, nil
}

func (u *head) Take(c *utility.Call, data []byte) utility.Verdict {
	if u.allBut {
		u.Kept = append(u.Kept, data...)
		c.Need(int64(len(u.Kept)))
		c.Step(int64(bytes.Count(data, []byte("\n"))) / linesPerStep)
		cut := u.cutOff()
		c.Put(c.Stdout, u.Kept[:cut])
		u.Kept = u.Kept[cut:]
		return utility.More
	}
	if u.bytes {
		n := min(int64(len(data)), u.Left)
		c.Put(c.Stdout, data[:n])
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
		c.Step((before - u.Left) / linesPerStep)
		c.Put(c.Stdout, data[:end])
	}
	if u.Left == 0 {
		return utility.NextFile
	}
	return utility.More
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

func (u *head) Finish(c *utility.Call, _ string) utility.Verdict {
	if u.allBut && !u.bytes && len(u.Kept) > 0 && u.Kept[len(u.Kept)-1] != '\n' {
		u.Kept = append(u.Kept, '\n') // a last line without a newline counts
		unended := u.cutOff()
		c.Put(c.Stdout, u.Kept[:unended])
	}
	return utility.More
}

func (u *head) CannotRead(c *utility.Call, file string, err error) {
	if c.GNU {
		c.Complain("cannot open '%s' for reading: %s", file, vfs.Reason(err))
	} else {
		c.Complain("%s: %s", file, vfs.Reason(err))
	}
	u.Failed = true
}

// tail prints the ends of files. -f needs to wait, and is in the package program.
type tail struct {
	Feed    utility.Feed `json:"feed"`
	Headers headers      `json:"headers"`
	Skip    int64        `json:"skip,omitempty"` // of "+N": how much of this file is still to be skipped
	Kept    []byte       `json:"kept,omitempty"` // what may belong to the end
	Failed  bool         `json:"failed,omitempty"`

	o     *utility.Options
	count int64
	bytes bool
	from  bool // the count says where to begin
}

// Chunk implements Stream.
func (u *tail) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	var sign byte
	u.o, u.count, u.bytes, sign = parseCount(c)
	u.from = sign == '+'
	next := u.Feed.Run(c, utility.OrStdin(u.o.Rest), in, eof, u)
	return next, utility.ExitIf(u.Failed)
}

func (u *tail) Start(c *utility.Call, file string) {
	u.Headers.show(c, u.o, file)
	u.Skip, u.Kept = max(0, u.count-1), nil
}

func (u *tail) Take(c *utility.Call, data []byte) utility.Verdict {
	if u.from {
		for u.Skip > 0 && len(data) > 0 {
			n := 1
			if !u.bytes {
				if n = bytes.IndexByte(data, '\n') + 1; n == 0 {
					return utility.More
				}
			}
			data = data[n:]
			u.Skip--
		}
		c.Put(c.Stdout, data)
		return utility.More
	}
	u.Kept = append(u.Kept, data...)
	u.Kept = u.Kept[u.beginning():]
	c.Need(int64(len(u.Kept)))
	return utility.More
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

func (u *tail) Finish(c *utility.Call, _ string) utility.Verdict {
	if u.count == 0 && !u.from {
		u.Kept = nil
	}
	c.Put(c.Stdout, u.Kept)
	u.Kept = nil
	return utility.More
}

func (u *tail) CannotRead(c *utility.Call, file string, err error) {
	if c.GNU {
		c.Complain("cannot open '%s' for reading: %s", file, vfs.Reason(err))
	} else {
		c.CantOpen(file, err)
	}
	u.Failed = true
}
