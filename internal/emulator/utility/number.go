package utility

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

var numberUtilities = map[string]Utility{
	"seq": {stream: func() Stream { return &seq{} }}, "expr": {whole: expr}, "factor": {whole: factor, stdin: noOperands},
}

func noOperands(args []string) bool { return len(args) < 2 }

// seq prints numbers in steps.
type seq struct {
	Line int64 `json:"line"` // how many were printed
}

// Chunk implements Stream.
func (u *seq) Chunk(c *Call, _ []byte, _ bool) (Next, int) {
	o, values := c.seqOperands()
	first, step, last := 1.0, 1.0, values[len(values)-1]
	if len(values) > 1 {
		first = values[0]
	}
	if len(values) > 2 {
		step = values[1]
	}
	if step == 0 {
		c.fatal(1, "invalid Zero increment value: '0'")
	}
	decimals := decimalsOf(o.rest)
	separator, ok := o.last('s')
	if !ok {
		separator = "\n"
	}
	form := func(n float64) string { return strconv.FormatFloat(n, 'f', decimals, 64) }
	if o.has('w') {
		width := max(len(form(first)), len(form(last)))
		form = func(n float64) string { return fmt.Sprintf("%0*.*f", width, decimals, n) }
	}
	if format, ok := o.last('f'); ok {
		form = c.seqFormat(format)
	}
	var out []byte
	for {
		n := first + float64(u.Line)*step
		const slack = 1e-9 // so that steps of 0.1 reach their end
		if step > 0 && n > last+slack*step || step < 0 && n < last+slack*step || math.IsNaN(n) {
			break
		}
		if len(out) > pieceBytes {
			c.put(c.Stdout, out)
			return Again, 0
		}
		c.step(2)
		if u.Line > 0 {
			out = append(out, separator...)
		}
		out = append(out, form(n)...)
		u.Line++
	}
	if u.Line > 0 {
		out = append(out, '\n')
	}
	c.put(c.Stdout, out)
	return Done, 0
}

// seqOperands parses the numbers; negative ones look like options.
func (c *Call) seqOperands() (*options, []float64) {
	called := *c
	called.Args = nil
	var operands []string
	for i, a := range c.Args {
		if _, err := strconv.ParseFloat(a, 64); i > 0 && err == nil && len(a) > 1 && a[0] == '-' && !strings.HasPrefix(c.Args[i-1], "-s") {
			operands = append(operands, c.Args[i:]...)
			break
		}
		called.Args = append(called.Args, a)
	}
	o := called.parse(syntax{short: "+ws:f:", long: map[string]byte{"equal-width": 'w', "separator:": 's', "format:": 'f'}})
	o.rest = append(o.rest, operands...)
	c.operands(o, 1, 3)
	var values []float64
	for _, a := range o.rest {
		n, err := strconv.ParseFloat(a, 64)
		if err != nil || math.IsNaN(n) {
			c.fatal(1, "invalid number '%s'", a)
		}
		values = append(values, n)
	}
	return o, values
}

// decimalsOf returns how many decimals to print: as many as the first number and the step have.
func decimalsOf(operands []string) (decimals int) {
	for _, a := range operands[:len(operands)-1] {
		if dot := strings.IndexByte(a, '.'); dot >= 0 && !strings.ContainsAny(a, "eExXpP") {
			decimals = max(decimals, len(a)-dot-1)
		}
	}
	return min(decimals, 20)
}

func (c *Call) seqFormat(format string) func(float64) string {
	return func(n float64) string {
		f := &formatter{Call: c, args: []string{strconv.FormatFloat(n, 'g', -1, 64)}}
		f.format(format)
		return string(f.out)
	}
}

// factor prints the prime factors of numbers.
func factor(c *Call, stdin []byte) int {
	numbers := c.Args[min(1, len(c.Args)):]
	if len(numbers) == 0 {
		numbers = strings.Fields(string(stdin))
	}
	failed := false
	for _, text := range numbers {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			c.complain("'%s' is not a valid positive integer", text)
			failed = true
			continue
		}
		c.printf("%d:", n)
		for d := uint64(2); d*d <= n && d < 1<<32; d++ {
			if new(big.Int).SetUint64(n).ProbablyPrime(0) {
				break
			}
			for ; n%d != 0 && d*d <= n; d++ {
				c.step(1)
			}
			for ; n%d == 0; n /= d {
				c.printf(" %d", d)
			}
		}
		if n > 1 {
			c.printf(" %d", n)
		}
		c.print("\n")
	}
	return exitIf(failed)
}
