package utility

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// mustRead returns the lines of a file, or ends the utility.
func (c *Call) mustRead(file string, stdin []byte, exit int) [][]byte {
	data, err := c.read(file, stdin)
	if err != nil {
		c.cantOpen(file, err)
		panic(stopped{exit})
	}
	all, _ := c.splitLines(data, '\n')
	return all
}

// comm prints which lines two sorted files have in common.
func comm(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "123"})
	c.operands(o, 2, 2)
	a, b := c.mustRead(o.rest[0], stdin, 1), c.mustRead(o.rest[1], stdin, 1)
	column := func(name byte, indent int, line []byte) {
		if !o.has(name) {
			c.print(strings.Repeat("\t", indent) + string(line) + "\n")
		}
	}
	second, both := 1, 2
	if o.has('1') {
		second, both = 0, 1
	}
	if o.has('2') {
		both--
	}
	for len(a) > 0 || len(b) > 0 {
		by := 0
		switch {
		case len(a) == 0:
			by = 1
		case len(b) == 0:
			by = -1
		default:
			by = bytes.Compare(a[0], b[0])
		}
		switch {
		case by < 0:
			column('1', 0, a[0])
			a = a[1:]
		case by > 0:
			column('2', second, b[0])
			b = b[1:]
		default:
			column('3', both, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return 0
}

// join joins the lines of two sorted files that have a field in common.
func join(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "t:1:2:j:a:v:i"})
	c.operands(o, 2, 2)
	separator, _ := o.last('t')
	field := func(letter byte) int {
		text, ok := o.last(letter)
		if !ok {
			if text, ok = o.last('j'); !ok {
				return 0
			}
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			c.fatal(1, "invalid field number: '%s'", text)
		}
		return n - 1
	}
	cut := func(line []byte) []string {
		if separator == "" {
			return strings.Fields(string(line))
		}
		return strings.Split(string(line), separator)
	}
	shown := cmp.Or(separator, " ")
	left, right := field('1'), field('2')
	key := func(fields []string, n int) string {
		if n >= len(fields) {
			return ""
		}
		if o.has('i') {
			return strings.ToLower(fields[n])
		}
		return fields[n]
	}
	others := func(fields []string, n int) []string {
		if n >= len(fields) {
			return fields
		}
		return slices.Delete(slices.Clone(fields), n, n+1)
	}
	write := func(parts ...string) { c.print(strings.Join(parts, shown) + "\n") }
	second := map[string][][]string{}
	var order []string
	for _, line := range c.mustRead(o.rest[1], stdin, 1) {
		c.step(16 + int64(len(line))/2)
		fields := cut(line)
		k := key(fields, right)
		if second[k] == nil {
			order = append(order, k)
		}
		second[k] = append(second[k], fields)
	}
	met := map[string]bool{}
	unpaired := func(n string) bool { return slices.Contains(o.all('a'), n) || slices.Contains(o.all('v'), n) }
	for _, line := range c.mustRead(o.rest[0], stdin, 1) {
		c.step(16 + int64(len(line))/2)
		fields := cut(line)
		k := key(fields, left)
		met[k] = true
		if second[k] == nil && unpaired("1") {
			write(append([]string{k}, others(fields, left)...)...)
		}
		for _, match := range second[k] {
			if c.step(1); !o.has('v') {
				write(append(append([]string{fields[left]}, others(fields, left)...), others(match, right)...)...)
			}
		}
	}
	for _, k := range order {
		for _, fields := range second[k] {
			if !met[k] && unpaired("2") {
				write(append([]string{k}, others(fields, right)...)...)
			}
		}
	}
	return 0
}

// tac prints lines in reverse order.
func tac(c *Call, stdin []byte) int {
	o := c.parse(syntax{})
	for _, file := range orStdin(o.rest) {
		data, err := c.read(file, stdin)
		if err != nil {
			c.cantOpen(file, err)
			return 1
		}
		for len(data) > 0 {
			at := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
			c.put(c.Stdout, data[at:])
			data = data[:at]
		}
	}
	return 0
}

// shuf prints lines in an order that the seed of the call decides.
func shuf(c *Call, stdin []byte) int {
	o := c.parse(syntax{short: "n:ei:", long: map[string]byte{"head-count:": 'n', "echo": 'e', "input-range:": 'i'}})
	var all [][]byte
	switch span, ranged := o.last('i'); {
	case o.has('e'):
		for _, a := range o.rest {
			all = append(all, []byte(a))
		}
	case ranged:
		low, high, _ := strings.Cut(span, "-")
		from, err := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err != nil || err2 != nil || to < from || to-from > 1_000_000 {
			c.fatal(1, "invalid input range '%s'", span)
		}
		c.step(int64(to-from) * 2)
		for i := from; i <= to; i++ {
			all = append(all, []byte(strconv.Itoa(i)))
		}
	default:
		c.operands(o, 0, 1)
		all = c.mustRead(orStdin(o.rest)[0], stdin, 1)
	}
	c.step(2 * int64(len(all)))
	c.random().Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if text, ok := o.last('n'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			c.fatal(1, "invalid line count '%s'", text)
		}
		all = all[:min(len(all), n)]
	}
	for _, line := range all {
		c.print(string(line) + "\n")
	}
	return 0
}

// random returns random numbers that the seed of the call decides.
func (c *Call) random() *rand.Rand { return rand.New(rand.NewChaCha8(sha256.Sum256([]byte(c.Seed)))) }
