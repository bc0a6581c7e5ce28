package text

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// odForm is one of od's output formats.
type odForm struct {
	kind  byte // a c d o u x
	size  int
	width int
}

// od dumps files.
func od(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "A:t:N:j:vbcdoxsaw::", Long: map[string]byte{
		"address-radix:": 'A', "format:": 't', "read-bytes:": 'N', "skip-bytes:": 'j', "output-duplicates": 'v',
	}})
	all, failed := input(c, o, 'j', 'N', o.Rest, stdin)
	data := limits(c, o, 'j', 'N', all)
	offset := 0
	if text, ok := o.Last('j'); ok {
		offset, _ = strconv.Atoi(text)
		offset = min(offset, len(all))
	}
	radix, _ := o.Last('A')
	address := func(at int) string {
		switch radix {
		case "n":
			return ""
		case "x":
			return fmt.Sprintf("%06x", at+offset)
		case "d":
			return fmt.Sprintf("%07d", at+offset)
		}
		return fmt.Sprintf("%07o", at+offset)
	}
	forms := odForms(c, o)
	width := 16
	if text, ok := o.Last('w'); ok {
		n, err := strconv.Atoi(text)
		if text == "" {
			n, err = 32, nil
		}
		if err != nil || n < 1 || n > 256 {
			c.Fatal(1, "invalid number '%s'", text)
		}
		width = n
	}
	var line []byte
	rows(c, data, o.Has('v'), width, func() { c.Print("*\n") }, func(at int, piece []byte) {
		for i, f := range forms {
			head := address(at)
			if i > 0 {
				head = strings.Repeat(" ", len(head))
			}
			if i > 0 { // rows has billed the first
				c.Step(2 + int64(len(piece)))
			}
			line = append(f.row(append(line[:0], head...), piece), '\n')
			c.Put(c.Stdout, line)
		}
	})
	if end := address(len(data)); end != "" {
		c.Print(end + "\n")
	}
	return utility.ExitIf(failed)
}

func odForms(c *utility.Call, o *utility.Options) (forms []odForm) {
	add := func(kind byte, size int) {
		widths := map[byte][]int{'o': {3, 6, 11, 22}, 'd': {4, 6, 11, 20}, 'u': {3, 5, 10, 20}, 'x': {2, 4, 8, 16}, 'c': {3}, 'a': {3}}
		at := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[size]
		forms = append(forms, odForm{kind, size, widths[kind][at]})
	}
	for _, g := range o.Given {
		switch g.Name {
		case 'b':
			add('o', 1)
		case 'c', 'a':
			add(g.Name, 1)
		case 'd':
			add('u', 2)
		case 'o':
			add('o', 2)
		case 'x':
			add('x', 2)
		case 's':
			add('d', 2)
		case 't':
			kind, size := byte(0), 4
			if g.Value != "" {
				kind = g.Value[0]
			}
			rest := g.Value[min(1, len(g.Value)):]
			switch rest {
			case "":
				if kind == 'c' || kind == 'a' {
					size = 1
				}
			case "C":
				size = 1
			case "S":
				size = 2
			case "I":
				size = 4
			case "L":
				size = 8
			default:
				size, _ = strconv.Atoi(rest) // anything but a number is refused as a size of 0
			}
			if strings.IndexByte("acdoux", kind) < 0 || size != 1 && (kind == 'a' || kind == 'c') || size != 1 && size != 2 && size != 4 && size != 8 {
				c.Fatal(1, "invalid type string '%s'", g.Value)
			}
			add(kind, size)
		}
	}
	if forms == nil {
		add('o', 2)
	}
	return forms
}

// row appends formatted bytes, in groups of the form's size; the last group is padded with zeros.
func (f odForm) row(to, piece []byte) []byte {
	var digits [24]byte
	for at := 0; at < len(piece); at += f.size {
		var word [8]byte
		copy(word[:], piece[at:min(at+f.size, len(piece))])
		n := binary.LittleEndian.Uint64(word[:])
		text, fill := digits[:0], byte(' ')
		switch f.kind {
		case 'a', 'c':
			text = append(text, odChar(piece[at], f.kind == 'a')...)
		case 'o':
			text, fill = strconv.AppendUint(text, n, 8), '0'
		case 'x':
			text, fill = strconv.AppendUint(text, n, 16), '0'
		case 'u':
			text = strconv.AppendUint(text, n, 10)
		case 'd':
			shift := 64 - 8*f.size
			text = strconv.AppendInt(text, int64(n<<shift)>>shift, 10)
		}
		to = append(to, ' ')
		for range f.width - len(text) {
			to = append(to, fill)
		}
		to = append(to, text...)
	}
	return to
}

var odNames = strings.Fields("nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp")

func odChar(b byte, named bool) string {
	if named {
		switch b &= 0x7f; {
		case int(b) < len(odNames):
			return odNames[b]
		case b == 0x7f:
			return "del"
		}
		return string(b)
	}
	if i := strings.IndexByte("\x00\a\b\f\n\r\t\v", b); i >= 0 {
		return `\` + "0abfnrtv"[i:i+1]
	}
	if b < ' ' || b >= 0x7f {
		return fmt.Sprintf("%03o", b)
	}
	return string(b)
}
