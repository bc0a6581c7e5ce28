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

// input returns the content of all operands, one after the other, or as much as the options limit
// it to.
func (c *Call) input(o *options, skip, most byte, files []string, stdin []byte) (all []byte, failed bool) {
	enough := int64(-1)
	if text, ok := o.last(most); ok {
		n, _ := strconv.ParseInt(text, 0, 32) // a wrong number is refused later
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

// readSome is read for at most most bytes of a file, also of a special file that has no end. If
// most is below 0, it is read.
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

// limits applies -s, -j, -n and -N of the tools that dump: how much to skip, and how much to show.
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

// rows calls row for each 16 bytes, and repeated once for a run of rows that equal the one before.
func (c *Call) rows(data []byte, all bool, width int, repeated func(), row func(at int, piece []byte)) {
	var last []byte
	told := false
	for at := 0; at < len(data); at += width {
		piece := data[at:min(at+width, len(data))]
		c.step(1)
		if !all && last != nil && bytes.Equal(piece, last) && at+width < len(data) {
			if !told {
				repeated()
			}
			told = true
			continue
		}
		last, told = piece, false
		c.step(2 + int64(len(piece)))
		row(at, piece)
	}
}

// odForm is one of od's output formats.
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
	var line []byte
	c.rows(data, o.has('v'), width, func() { c.print("*\n") }, func(at int, piece []byte) {
		for i, f := range forms {
			head := address(at)
			if i > 0 {
				head = strings.Repeat(" ", len(head))
			}
			if i > 0 { // rows has billed the first
				c.step(2 + int64(len(piece)))
			}
			line = append(f.row(append(line[:0], head...), piece), '\n')
			c.put(c.Stdout, line)
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
				size, _ = strconv.Atoi(rest) // anything but a number is refused as a size of 0
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

// appendPrintable appends bytes as text, with a point for each that is not printable.
func appendPrintable(to, piece []byte) []byte {
	for _, b := range piece {
		if b < ' ' || b >= 0x7f {
			b = '.'
		}
		to = append(to, b)
	}
	return to
}

// appendHex appends bytes as two hexadecimal digits each.
func appendHex(to []byte, upper bool, piece ...byte) []byte {
	digits := "0123456789abcdef"
	if upper {
		digits = "0123456789ABCDEF"
	}
	for _, b := range piece {
		to = append(to, digits[b>>4], digits[b&15])
	}
	return to
}

// asRunes returns text in which every byte is a character.
func asRunes(piece []byte) []byte {
	out := make([]byte, len(piece))
	for i, b := range piece {
		if out[i] = b; b >= 0x7f {
			out[i] = '.'
		}
	}
	return out
}

// hexdump dumps files: with -C in the canonical form, otherwise as words of two bytes.
func hexdump(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "Cvn:s:x"})
	all, failed := c.input(o, 's', 'n', o.rest, stdin)
	data := c.limits(o, 's', 'n', all)
	offset := 0
	if text, ok := o.last('s'); ok {
		offset, _ = strconv.Atoi(text)
	}
	canonical := o.has('C') || c.name() == "hd"
	var line, words []byte
	c.rows(data, o.has('v'), 16, func() { c.print("*\n") }, func(at int, piece []byte) {
		if canonical {
			line = canonicalRow(line[:0], at+offset, piece)
		} else {
			form, between := odForm{'x', 2, 4}, 0
			if o.has('x') {
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
		c.put(c.Stdout, line)
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
func xxd(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "prc:l:s:g:u"})
	data, failed := c.input(o, 's', 'l', o.rest[:min(1, len(o.rest))], stdin)
	if o.has('r') {
		c.step(int64(len(data)))
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
	upper := o.has('u')
	var line []byte
	for at := 0; at < len(data); at += width {
		piece := data[at:min(at+width, len(data))]
		c.step(2 + int64(max(width, len(piece))))
		if o.has('p') {
			line = append(appendHex(line[:0], upper, piece...), '\n')
			c.put(c.Stdout, line)
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
		c.put(c.Stdout, line)
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

// stringsIn prints the text in files.
func stringsIn(c *Call, stdin []byte) int {
	// -a has no effect: the whole file is always searched.
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
	c.step(int64(len(data)))
	for _, piece := range bytes.FieldsFunc(asRunes(bytes.ReplaceAll(data, []byte("."), []byte("\x01"))), func(r rune) bool { return r == '.' || r < ' ' && r != '\t' && r != 1 }) {
		if len(piece) >= least {
			c.print(strings.ReplaceAll(string(piece), "\x01", ".") + "\n")
		}
	}
	return exitIf(failed)
}
