package utility

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

var dumpUtilities = map[string]Utility{
	"od": {whole: od, stdin: unlessFiles("AtNj", "address-radix", "format", "read-bytes", "skip-bytes")}, "hexdump": {whole: hexdump, stdin: unlessFiles("ns")}, "hd": {whole: hexdump, stdin: unlessFiles("ns")},
	"xxd":     {whole: xxd, stdin: unlessFiles("clsg")},
	"strings": {whole: stringsIn, stdin: unlessFiles("n")},
}

// input is the content of all operands, one behind the other: at most as much as the options ask for, if they do.
func (c *Call) input(o *options, skip, most byte, files []string, stdin []byte) (all []byte, failed bool) {
	enough := int64(-1)
	if text, ok := o.last(most); ok {
		n, _ := strconv.ParseInt(text, 0, 32) // what is wrong is refused later
		text, _ = o.last(skip)
		before, _ := strconv.ParseInt(text, 0, 32)
		enough = n + before
	}
	for _, file := range orStdin(files) {
		data, err := c.readSome(file, stdin, enough)
		if err != nil {
			c.complain("%s: %s", file, reason(err))
			failed = true
			continue
		}
		all = append(all, data...)
		c.need(int64(len(all)))
	}
	return all, failed
}

// readSome is read of the first bytes of a file: of a special one that has no end, too. Below 0 it is read.
func (c *Call) readSome(file string, stdin []byte, most int64) ([]byte, error) {
	if most < 0 || file == "-" {
		return c.read(file, stdin)
	}
	f, err := c.openForReading(file)
	if err != nil || f.Device == "stdin" {
		return stdin, err
	}
	defer c.FS.Close(f)
	c.need(most)
	data := make([]byte, most)
	n, err := c.FS.Read(f, data)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// limits takes -s, -j, -n and -N of the tools that dump: how much is passed over, and how much is shown.
func (c *Call) limits(o *options, skip, most byte, data []byte) []byte {
	value := func(letter byte) (int64, bool) {
		text, ok := o.last(letter)
		if !ok {
			return 0, false
		}
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil || n < 0 {
			c.fatal(1, "invalid number '%s'", text)
		}
		return n, true
	}
	if n, ok := value(skip); ok {
		data = data[min(n, int64(len(data))):]
	}
	if n, ok := value(most); ok {
		data = data[:min(n, int64(len(data)))]
	}
	return data
}

// rows calls row for each 16 bytes; what is the same as before is told once.
func (c *Call) rows(data []byte, all bool, width int, repeated func(), row func(at int, piece []byte)) {
	var last []byte
	told := false
	for at := 0; at < len(data); at += width {
		piece := data[at:min(at+width, len(data))]
		if !all && last != nil && bytes.Equal(piece, last) && at+width < len(data) {
			if !told {
				repeated()
			}
			told = true
			continue
		}
		last, told = piece, false
		row(at, piece)
	}
}

// odForm is one of od's ways to show bytes.
type odForm struct {
	kind  byte // a c d o u x
	size  int
	width int
}

// od dumps files.
func od(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "A:t:N:j:vbcdoxsaw::", long: map[string]byte{"address-radix:": 'A', "format:": 't', "read-bytes:": 'N', "skip-bytes:": 'j', "output-duplicates": 'v'}})
	all, failed := c.input(o, 'j', 'N', o.rest, stdin)
	data := c.limits(o, 'j', 'N', all)
	offset := 0
	if text, ok := o.last('j'); ok {
		offset, _ = strconv.Atoi(text)
		offset = min(offset, len(all))
	}
	radix, _ := o.last('A')
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
	forms := c.odForms(o)
	width := 16
	if text, ok := o.last('w'); ok {
		n, err := strconv.Atoi(text)
		if text == "" {
			n, err = 32, nil
		}
		if err != nil || n < 1 || n > 256 {
			c.fatal(1, "invalid number '%s'", text)
		}
		width = n
	}
	c.rows(data, o.has('v'), width, func() { c.print("*\n") }, func(at int, piece []byte) {
		for i, f := range forms {
			head := address(at)
			if i > 0 {
				head = strings.Repeat(" ", len(head))
			}
			c.print(head + f.row(piece) + "\n")
		}
	})
	if end := address(len(data)); end != "" {
		c.print(end + "\n")
	}
	return exitIf(failed)
}

func (c *Call) odForms(o *options) (forms []odForm) {
	add := func(kind byte, size int) {
		widths := map[byte][]int{'o': {3, 6, 11, 22}, 'd': {4, 6, 11, 20}, 'u': {3, 5, 10, 20}, 'x': {2, 4, 8, 16}, 'c': {3}, 'a': {3}}
		at := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[size]
		forms = append(forms, odForm{kind, size, widths[kind][at]})
	}
	for _, g := range o.given {
		switch g.name {
		case 'b':
			add('o', 1)
		case 'c', 'a':
			add(g.name, 1)
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
			if g.value != "" {
				kind = g.value[0]
			}
			rest := g.value[min(1, len(g.value)):]
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
				size, _ = strconv.Atoi(rest) // what is no number is refused as a size of 0
			}
			if strings.IndexByte("acdoux", kind) < 0 || size != 1 && (kind == 'a' || kind == 'c') || size != 1 && size != 2 && size != 4 && size != 8 {
				c.fatal(1, "invalid type string '%s'", g.value)
			}
			add(kind, size)
		}
	}
	if forms == nil {
		add('o', 2)
	}
	return forms
}

// row shows some bytes, in groups of the form's size; the last group is filled with zeros.
func (f odForm) row(piece []byte) string {
	var b strings.Builder
	for at := 0; at < len(piece); at += f.size {
		var word [8]byte
		copy(word[:], piece[at:min(at+f.size, len(piece))])
		n := binary.LittleEndian.Uint64(word[:])
		text := ""
		switch f.kind {
		case 'a', 'c':
			text = odChar(piece[at], f.kind == 'a')
		case 'o':
			text = fmt.Sprintf("%0*o", f.width, n)
		case 'x':
			text = fmt.Sprintf("%0*x", f.width, n)
		case 'u':
			text = strconv.FormatUint(n, 10)
		case 'd':
			shift := 64 - 8*f.size
			text = strconv.FormatInt(int64(n<<shift)>>shift, 10)
		}
		fmt.Fprintf(&b, " %*s", f.width, text)
	}
	return b.String()
}

func odChar(b byte, named bool) string {
	if named {
		names := strings.Fields("nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp")
		switch b &= 0x7f; {
		case int(b) < len(names):
			return names[b]
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

func printable(piece []byte) string {
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f {
			return '.'
		}
		return r
	}, asRunes(piece)))
}

// asRunes is text in which every byte is a character.
func asRunes(piece []byte) []byte {
	out := make([]byte, len(piece))
	for i, b := range piece {
		if out[i] = b; b >= 0x7f {
			out[i] = '.'
		}
	}
	return out
}

// hexdump dumps files: with -C in the usual form, and else as words of two bytes.
func hexdump(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "Cvn:s:x"})
	all, failed := c.input(o, 's', 'n', o.rest, stdin)
	data := c.limits(o, 's', 'n', all)
	offset := 0
	if text, ok := o.last('s'); ok {
		offset, _ = strconv.Atoi(text)
	}
	canonical := o.has('C') || c.name() == "hd"
	c.rows(data, o.has('v'), 16, func() { c.print("*\n") }, func(at int, piece []byte) {
		if canonical {
			var b strings.Builder
			for i := range 16 {
				if i%8 == 0 {
					b.WriteByte(' ')
				}
				if i < len(piece) {
					fmt.Fprintf(&b, " %02x", piece[i])
				} else {
					b.WriteString("   ")
				}
			}
			c.printf("%08x%s  |%s|\n", at+offset, b.String(), printable(piece))
			return
		}
		form, between := odForm{'x', 2, 4}, 0
		if o.has('x') {
			between = 3
		}
		text := strings.ReplaceAll(form.row(piece), " ", strings.Repeat(" ", between+1))
		c.printf("%07x%-*s\n", at+offset, 8*(5+between), text)
	})
	switch {
	case len(data) == 0:
	case canonical:
		c.printf("%08x\n", len(data)+offset)
	default:
		c.printf("%07x\n", len(data)+offset)
	}
	return exitIf(failed)
}

// xxd dumps files, or with -r turns such a dump back.
func xxd(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "prc:l:s:g:u"})
	data, failed := c.input(o, 's', 'l', o.rest[:min(1, len(o.rest))], stdin)
	if o.has('r') {
		c.put(c.Stdout, undumped(string(data), o.has('p')))
		return exitIf(failed)
	}
	data = c.limits(o, 's', 'l', data)
	width, group := 16, 2
	if o.has('p') {
		width = 30
	}
	for letter, to := range map[byte]*int{'c': &width, 'g': &group} {
		if text, ok := o.last(letter); ok {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > 256 || n == 0 && letter == 'c' {
				c.fatal(1, "invalid number of octets per line or group")
			}
			*to = n
		}
	}
	hexed := func(piece []byte) string {
		text := hex.EncodeToString(piece)
		if o.has('u') {
			text = strings.ToUpper(text)
		}
		return text
	}
	for at := 0; at < len(data); at += width {
		piece := data[at:min(at+width, len(data))]
		if o.has('p') {
			c.print(hexed(piece) + "\n")
			continue
		}
		var b strings.Builder
		for i := range width {
			if i > 0 && group > 0 && i%group == 0 {
				b.WriteByte(' ')
			}
			if i < len(piece) {
				b.WriteString(hexed(piece[i : i+1]))
			} else {
				b.WriteString("  ")
			}
		}
		c.printf("%08x: %s  %s\n", at, b.String(), printable(piece))
	}
	return exitIf(failed)
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

// stringsIn writes the text that is in files.
func stringsIn(c *Call, stdin []byte) int {
	// -a has no effect: all of a file is looked at anyway.
	o := c.parse(syntax{short: "an:"})
	least := 4
	if text, ok := o.last('n'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			c.fatal(1, "invalid number '%s'", text)
		}
		least = n
	}
	data, failed := c.input(o, 0, 0, o.rest, stdin)
	for _, piece := range bytes.FieldsFunc(asRunes(bytes.ReplaceAll(data, []byte("."), []byte("\x01"))), func(r rune) bool { return r == '.' || r < ' ' && r != '\t' && r != 1 }) {
		if len(piece) >= least {
			c.print(strings.ReplaceAll(string(piece), "\x01", ".") + "\n")
		}
	}
	return exitIf(failed)
}
