package text

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// mustRead returns the lines of a file, or ends the utility.
func mustRead(c *utility.Call, file string, stdin []byte, exit int) [][]byte {
	data, err := c.ReadInput(file, stdin)
	if err != nil {
		c.CantOpen(file, err)
		c.Exit(exit)
	}
	all, _ := splitLines(c, data, '\n')
	return all
}

// comm prints which lines two sorted files have in common.
func comm(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "123"})
	c.CheckOperands(o, 2, 2)
	a, b := mustRead(c, o.Rest[0], stdin, 1), mustRead(c, o.Rest[1], stdin, 1)
	column := func(name byte, indent int, line []byte) {
		if !o.Has(name) {
			c.Print(strings.Repeat("\t", indent) + string(line) + "\n")
		}
	}
	second, both := 1, 2
	if o.Has('1') {
		second, both = 0, 1
	}
	if o.Has('2') {
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
func join(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "t:1:2:j:a:v:i"})
	c.CheckOperands(o, 2, 2)
	separator, _ := o.Last('t')
	field := func(letter byte) int {
		text, ok := o.Last(letter)
		if !ok {
			if text, ok = o.Last('j'); !ok {
				return 0
			}
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			c.Fatal(1, "invalid field number: '%s'", text)
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
		if o.Has('i') {
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
	write := func(parts ...string) { c.Print(strings.Join(parts, shown) + "\n") }
	second := map[string][][]string{}
	var order []string
	for _, line := range mustRead(c, o.Rest[1], stdin, 1) {
		c.Step(16 + int64(len(line))/2)
		fields := cut(line)
		k := key(fields, right)
		if second[k] == nil {
			order = append(order, k)
		}
		second[k] = append(second[k], fields)
	}
	met := map[string]bool{}
	unpaired := func(n string) bool { return slices.Contains(o.All('a'), n) || slices.Contains(o.All('v'), n) }
	for _, line := range mustRead(c, o.Rest[0], stdin, 1) {
		c.Step(16 + int64(len(line))/2)
		fields := cut(line)
		k := key(fields, left)
		met[k] = true
		if second[k] == nil && unpaired("1") {
			write(append([]string{k}, others(fields, left)...)...)
		}
		for _, match := range second[k] {
			if c.Step(1); !o.Has('v') {
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
func tac(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{})
	for _, file := range utility.OrStdin(o.Rest) {
		data, err := c.ReadInput(file, stdin)
		if err != nil {
			c.CantOpen(file, err)
			return 1
		}
		for len(data) > 0 {
			at := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
			c.Put(c.Stdout, data[at:])
			data = data[:at]
		}
	}
	return 0
}

// shuf prints lines in an order that the seed of the call decides.
func shuf(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "n:ei:", Long: map[string]byte{"head-count:": 'n', "echo": 'e', "input-range:": 'i'}})
	var all [][]byte
	switch span, ranged := o.Last('i'); {
	case o.Has('e'):
		for _, a := range o.Rest {
			all = append(all, []byte(a))
		}
	case ranged:
		low, high, _ := strings.Cut(span, "-")
		from, err := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err != nil || err2 != nil || to < from || to-from > 1_000_000 {
			c.Fatal(1, "invalid input range '%s'", span)
		}
		c.Step(int64(to-from) * 2)
		for i := from; i <= to; i++ {
			all = append(all, []byte(strconv.Itoa(i)))
		}
	default:
		c.CheckOperands(o, 0, 1)
		all = mustRead(c, utility.OrStdin(o.Rest)[0], stdin, 1)
	}
	c.Step(2 * int64(len(all)))
	c.Random().Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if text, ok := o.Last('n'); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			c.Fatal(1, "invalid line count '%s'", text)
		}
		all = all[:min(len(all), n)]
	}
	for _, line := range all {
		c.Print(string(line) + "\n")
	}
	return 0
}

// splitLines splits text into lines; ended reports whether the last line has its newline.
func splitLines(c *utility.Call, data []byte, newline byte) (all [][]byte, ended bool) {
	c.Step(int64(len(data)) / 8)
	if len(data) == 0 {
		return nil, true
	}
	if data[len(data)-1] == newline {
		return bytes.Split(data[:len(data)-1], []byte{newline}), true
	}
	return bytes.Split(data, []byte{newline}), false
}

// shufReads: with -e the operands are the lines, and with -i there are none.
func shufReads(args []string) bool {
	for _, a := range args {
		if strings.HasPrefix(a, "--echo") || strings.HasPrefix(a, "--input-range") || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, "ei") {
			return false
		}
	}
	return utility.UnlessFiles("n", "head-count")(args)
}
