package script

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/printf"
)

func noOperands(args []string) bool { return len(args) < 2 }

// seq prints numbers in steps.
type seq struct {
	Line int64 `json:"line"` // how many were printed
}

// Chunk implements Stream.
func (u *seq) Chunk(c *utility.Call, _ []byte, _ bool) (utility.Next, int) {
	o, values := seqOperands(c)
	first, step, last := 1.0, 1.0, values[len(values)-1]
	if len(values) > 1 {
		first = values[0]
	}
	if len(values) > 2 {
		step = values[1]
	}
	if step == 0 {
		c.Fatal(1, "invalid Zero increment value: '0'")
	}
	decimals := decimalsOf(o.Rest)
	separator, ok := o.Last('s')
	if !ok {
		separator = "\n"
	}
	form := func(n float64) string { return strconv.FormatFloat(n, 'f', decimals, 64) }
	if o.Has('w') {
		width := max(len(form(first)), len(form(last)))
		form = func(n float64) string { return fmt.Sprintf("%0*.*f", width, decimals, n) }
	}
	if format, ok := o.Last('f'); ok {
		form = seqFormat(c, format)
	}
	var out []byte
	for {
		n := first + float64(u.Line)*step
		const slack = 1e-9 // so that steps of 0.1 reach their end
		if step > 0 && n > last+slack*step || step < 0 && n < last+slack*step || math.IsNaN(n) {
			break
		}
		if len(out) > utility.PieceBytes {
			c.Put(c.Stdout, out)
			return utility.Again, 0
		}
		c.Step(2)
		if u.Line > 0 {
			out = append(out, separator...)
		}
		out = append(out, form(n)...)
		u.Line++
	}
	if u.Line > 0 {
		out = append(out, '\n')
	}
	c.Put(c.Stdout, out)
	return utility.Done, 0
}

// seqOperands parses the numbers; negative ones look like options.
func seqOperands(c *utility.Call) (*utility.Options, []float64) {
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
	o := called.Parse(utility.Syntax{Short: "+ws:f:", Long: map[string]byte{"equal-width": 'w', "separator:": 's', "format:": 'f'}})
	o.Rest = append(o.Rest, operands...)
	c.CheckOperands(o, 1, 3)
	var values []float64
	for _, a := range o.Rest {
		n, err := strconv.ParseFloat(a, 64)
		if err != nil || math.IsNaN(n) {
			c.Fatal(1, "invalid number '%s'", a)
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

func seqFormat(c *utility.Call, format string) func(float64) string {
	return func(n float64) string {
		f := &printf.Formatter{Call: c, Args: []string{strconv.FormatFloat(n, 'g', -1, 64)}}
		f.Format(format)
		return string(f.Out)
	}
}

// factor prints the prime factors of numbers.
func factor(c *utility.Call, stdin []byte) int {
	numbers := c.Args[min(1, len(c.Args)):]
	if len(numbers) == 0 {
		numbers = strings.Fields(string(stdin))
	}
	failed := false
	for _, text := range numbers {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			c.Complain("'%s' is not a valid positive integer", text)
			failed = true
			continue
		}
		c.Printf("%d:", n)
		for d := uint64(2); d*d <= n && d < 1<<32; d++ {
			if new(big.Int).SetUint64(n).ProbablyPrime(0) {
				break
			}
			for ; n%d != 0 && d*d <= n; d++ {
				c.Step(1)
			}
			for ; n%d == 0; n /= d {
				c.Printf(" %d", d)
			}
		}
		if n > 1 {
			c.Printf(" %d", n)
		}
		c.Print("\n")
	}
	return utility.ExitIf(failed)
}
