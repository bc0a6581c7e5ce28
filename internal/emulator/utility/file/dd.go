package file

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// dd copies in blocks.
type dd struct {
	Ready   bool             `json:"ready,omitempty"`
	In      *vfs.File        `json:"in,omitempty"` // nil means standard input
	Out     *utility.OutFile `json:"out,omitempty"`
	Pending []byte           `json:"pending,omitempty"` // input that does not fill a block yet
	Skip    int64            `json:"skip,omitempty"`    // bytes of input still to skip
	Full    int64            `json:"full,omitempty"`
	Partial int64            `json:"partial,omitempty"`
	Copied  int64            `json:"copied,omitempty"`
	Lost    int64            `json:"lost,omitempty"` // blocks that were read but could not be written

	bs, count, skip, seek int64 // a count of -1 means no limit
	inFile, outFile       string
	conv                  map[string]bool
	quiet, noTransfer     bool
}

// Chunk implements Stream.
func (u *dd) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	u.parse(c)
	if !u.Ready {
		u.open(c)
		u.Ready = true
	}
	if u.In == nil {
		return u.fromStdin(c, in, eof)
	}
	block := make([]byte, u.bs)
	for moved := int64(0); moved < max(utility.PieceBytes, u.bs); moved += u.bs {
		if u.enough() {
			return u.end(c), 0
		}
		n, err := c.FS.Read(u.In, block)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.Complain("error reading '%s': %s", u.inFile, vfs.Reason(err))
				u.end(c)
				return utility.Done, 1
			}
			return u.end(c), 0
		}
		if !u.block(c, block[:n]) {
			return utility.Done, 1
		}
	}
	return utility.Again, 0
}

// parse parses the operands.
func (u *dd) parse(c *utility.Call) {
	u.bs, u.count, u.conv = 512, -1, map[string]bool{}
	number := func(key, text string) int64 {
		product := int64(1)
		for factor := range strings.SplitSeq(text, "x") {
			n, ok := utility.ParseSize(factor)
			if !ok || n < 0 || n != 0 && product > (1<<40)/n {
				c.Fatal(1, "invalid number '%s'", text)
			}
			product *= n
		}
		return product
	}
	for _, arg := range c.Args[min(1, len(c.Args)):] {
		key, value, ok := strings.Cut(arg, "=")
		switch key {
		case "if":
			u.inFile = value
		case "of":
			u.outFile = value
		case "bs", "ibs", "obs":
			u.bs = number(key, value)
		case "count":
			u.count = number(key, value)
		case "skip":
			u.skip = number(key, value)
		case "seek":
			u.seek = number(key, value)
		case "status":
			u.quiet, u.noTransfer = value == "none", value == "noxfer"
		case "conv":
			for name := range strings.SplitSeq(value, ",") {
				switch name {
				case "notrunc", "sync", "fsync", "fdatasync", "noerror", "ucase", "lcase":
					u.conv[name] = true
				default:
					c.Fatal(1, "invalid conversion: '%s'", name)
				}
			}
		case "iflag", "oflag":
			for name := range strings.SplitSeq(value, ",") {
				switch name {
				case "fullblock", "direct", "sync", "dsync", "append": // no effect: files give full blocks, and writes are immediate
					u.conv[name] = u.conv[name] || name == "append"
				default:
					c.Fatal(1, "invalid flag: '%s'", name)
				}
			}
		default:
			ok = false
		}
		if !ok {
			c.Fatal(1, "unrecognized operand '%s'", arg)
		}
	}
	if u.bs < 1 || u.bs > 16<<20 {
		c.Fatal(1, "invalid number '%d'", u.bs)
	}
	c.Need(u.bs)
}

func (u *dd) open(c *utility.Call) {
	u.Skip = u.skip * u.bs
	if u.inFile != "" {
		f, err := c.OpenForReading(u.inFile)
		if err != nil {
			ddFailed(c, u.inFile, err)
		}
		if f.Device != "stdin" {
			u.In = f
			if f.Device == "" {
				_ = c.FS.Seek(f, u.Skip) // after the end there is nothing to read
			}
			u.Skip = 0
		}
	}
	if u.outFile == "" {
		return
	}
	flags := vfs.Write | vfs.Create
	if !u.conv["notrunc"] && u.seek == 0 && !u.conv["append"] {
		flags |= vfs.Truncate
	}
	f, err := c.FS.Open(c.Abs(u.outFile), flags, 0o666)
	if err != nil {
		ddFailed(c, u.outFile, err)
	}
	u.Out = &utility.OutFile{Name: u.outFile, File: f}
	if f.Device != "" {
		return
	}
	at := u.seek * u.bs
	if u.conv["append"] {
		at = c.FS.FileInfo(f).Size
	}
	if !u.conv["notrunc"] && u.seek > 0 {
		if err := c.FS.Resize(f, at); err != nil {
			c.Fatal(1, "truncating '%s': %s", u.outFile, vfs.Reason(err))
		}
	}
	_ = c.FS.Seek(f, at)
}

func ddFailed(c *utility.Call, file string, err error) {
	if c.GNU {
		c.Fatal(1, "failed to open '%s': %s", file, vfs.Reason(err))
	}
	c.Fatal(1, "can't open '%s': %s", file, vfs.Reason(err))
}

func (u *dd) enough() bool { return u.count >= 0 && u.Full+u.Partial >= u.count }

func (u *dd) fromStdin(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	skip := min(u.Skip, int64(len(in)))
	u.Skip -= skip
	u.Pending = append(u.Pending, in[skip:]...)
	c.Need(int64(len(u.Pending)))
	for int64(len(u.Pending)) >= u.bs && !u.enough() {
		if !u.block(c, u.Pending[:u.bs]) {
			return utility.Done, 1
		}
		u.Pending = u.Pending[u.bs:]
	}
	if u.enough() {
		return u.end(c), 0
	}
	if !eof {
		return utility.Input, 0
	}
	if len(u.Pending) > 0 && !u.block(c, u.Pending) {
		return utility.Done, 1
	}
	return u.end(c), 0
}

// block writes one block.
func (u *dd) block(c *utility.Call, block []byte) bool {
	if int64(len(block)) == u.bs {
		u.Full++
	} else {
		u.Partial++
		if u.conv["sync"] {
			block = append(block[:len(block):len(block)], make([]byte, u.bs-int64(len(block)))...)
		}
	}
	switch {
	case u.conv["ucase"]:
		block = []byte(strings.ToUpper(string(block)))
	case u.conv["lcase"]:
		block = []byte(strings.ToLower(string(block)))
	}
	if u.Out == nil {
		c.Put(c.Stdout, block)
	} else if err := u.Out.Write(c, block); err != nil {
		c.Complain("error writing '%s': %s", u.outFile, vfs.Reason(err))
		u.Lost = 1
		u.end(c)
		return false
	}
	u.Copied += int64(len(block))
	return true
}

// end prints what was done, but not the speed: it takes no time.
func (u *dd) end(c *utility.Call) utility.Next {
	if u.In != nil {
		c.FS.Close(u.In)
	}
	if u.Out != nil {
		u.Out.Close(c)
	}
	if !u.quiet {
		c.Put(c.Stderr, []byte(u.report(c)))
	}
	return utility.Done
}

func (u *dd) report(c *utility.Call) string {
	text := fmt.Sprintf("%d+%d records in\n%d+%d records out\n", u.Full, u.Partial, max(0, u.Full-u.Lost), u.Partial)
	if u.noTransfer {
		return text
	}
	sizes := fmt.Sprintf("%d bytes", u.Copied)
	if u.Copied >= 1024 {
		sizes += " (" + utility.HumanSize(u.Copied) + "B)"
	}
	if c.GNU {
		return text + sizes + " copied, 0 s, Infinity B/s\n"
	}
	return text + sizes + " copied, 0.000000 seconds, 0B/s\n"
}
