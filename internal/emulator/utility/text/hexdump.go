package text

import (
	"bytes"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// hexdump dumps files: with -C in the canonical form, otherwise as words of two bytes.
func hexdump(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "Cvn:s:x"})
	all, failed := input(c, o, 's', 'n', o.Rest, stdin)
	data := limits(c, o, 's', 'n', all)
	offset := 0
	if text, ok := o.Last('s'); ok {
		offset, _ = strconv.Atoi(text)
	}
	canonical := o.Has('C') || c.Name() == "hd"
	var line, words []byte
	rows(c, data, o.Has('v'), 16, func() { c.Print("*\n") }, func(at int, piece []byte) {
		if canonical {
			line = canonicalRow(line[:0], at+offset, piece)
		} else {
			form, between := odForm{'x', 2, 4}, 0
			if o.Has('x') {
				between = 3
			}
			words = form.row(words[:0], piece)
			line = address(line[:0], at+offset, 7)
			for _, b := range words {
				if line = append(line, b); b == ' ' {
					line = append(line, "   "[:between]...)
				}
			}
			for range 8*5 - len(words) + between*(8-(len(piece)+1)/2) {
				line = append(line, ' ')
			}
			line = append(line, '\n')
		}
		c.Put(c.Stdout, line)
	})
	switch {
	case len(data) == 0:
	case canonical:
		c.Printf("%08x\n", len(data)+offset)
	default:
		c.Printf("%07x\n", len(data)+offset)
	}
	return utility.ExitIf(failed)
}

// canonicalRow appends a row of hexdump -C.
func canonicalRow(to []byte, at int, piece []byte) []byte {
	to = address(to, at, 8)
	for i := range 16 {
		if i%8 == 0 {
			to = append(to, ' ')
		}
		if to = append(to, ' '); i < len(piece) {
			to = appendHex(to, false, piece[i])
		} else {
			to = append(to, "  "...)
		}
	}
	return append(appendPrintable(append(to, "  |"...), piece), "|\n"...)
}

// address appends an offset with at least that many hexadecimal digits.
func address(to []byte, at, digits int) []byte {
	var text [16]byte
	place := strconv.AppendInt(text[:0], int64(at), 16)
	for range digits - len(place) {
		to = append(to, '0')
	}
	return append(to, place...)
}

// xxd dumps files, or reverses such a dump with -r.
func xxd(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "prc:l:s:g:u"})
	data, failed := input(c, o, 's', 'l', o.Rest[:min(1, len(o.Rest))], stdin)
	if o.Has('r') {
		c.Step(int64(len(data)))
		c.Put(c.Stdout, undumped(string(data), o.Has('p')))
		return utility.ExitIf(failed)
	}
	data = limits(c, o, 's', 'l', data)
	width, group := 16, 2
	if o.Has('p') {
		width = 30
	}
	for letter, to := range map[byte]*int{'c': &width, 'g': &group} {
		if text, ok := o.Last(letter); ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > 256 || n == 0 && letter == 'c' {
				c.Fatal(1, "invalid number of octets per line or group")
			}
			*to = n
		}
	}
	upper := o.Has('u')
	var line []byte
	for at := 0; at < len(data); at += width {
		piece := data[at:min(at+width, len(data))]
		c.Step(2 + int64(max(width, len(piece))))
		if o.Has('p') {
			line = append(appendHex(line[:0], upper, piece...), '\n')
			c.Put(c.Stdout, line)
			continue
		}
		line = append(address(line[:0], at, 8), ": "...)
		for i := range width {
			if i > 0 && group > 0 && i%group == 0 {
				line = append(line, ' ')
			}
			if i < len(piece) {
				line = appendHex(line, upper, piece[i])
			} else {
				line = append(line, "  "...)
			}
		}
		line = append(appendPrintable(append(line, "  "...), piece), '\n')
		c.Put(c.Stdout, line)
	}
	return utility.ExitIf(failed)
}

func undumped(text string, plain bool) (out []byte) {
	for line := range strings.SplitSeq(text, "\n") {
		if !plain {
			_, line, _ = strings.Cut(line, ": ")
			line, _, _ = strings.Cut(line, "  ")
		}
		line = strings.Join(strings.Fields(line), "")
		if b, err := hex.DecodeString(line[:len(line)&^1]); err == nil {
			out = append(out, b...)
		}
	}
	return out
}

// stringsIn prints the text in files.
func stringsIn(c *utility.Call, stdin []byte) int {
	// -a has no effect: the whole file is always searched.
	o := c.Parse(utility.Syntax{Short: "an:"})
	least := 4
	if text, ok := o.Last('n'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			c.Fatal(1, "invalid number '%s'", text)
		}
		least = n
	}
	data, failed := input(c, o, 0, 0, o.Rest, stdin)
	c.Step(int64(len(data)))
	for _, piece := range bytes.FieldsFunc(asRunes(bytes.ReplaceAll(data, []byte("."), []byte("\x01"))),
		func(r rune) bool { return r == '.' || r < ' ' && r != '\t' && r != 1 }) {
		if len(piece) >= least {
			c.Print(strings.ReplaceAll(string(piece), "\x01", ".") + "\n")
		}
	}
	return utility.ExitIf(failed)
}
