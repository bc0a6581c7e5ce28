// Package printf has the utility printf, and its formatter for others.
package printf

import "github.com/rowlock/rowlock/internal/emulator/utility"

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	"printf": {Whole: printf},
}

// printf prints its arguments in a format, which it repeats until the arguments are used up.
func printf(c *utility.Call, _ []byte) int {
	args := c.Args[min(1, len(c.Args)):]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		c.Fatal(1, "missing operand")
	}
	f := &Formatter{Call: c, Args: args[1:]}
	for {
		f.took = false
		f.Format(args[0])
		c.Print(string(f.Out))
		f.Out = f.Out[:0]
		if f.ended || len(f.Args) == 0 || !f.took {
			break
		}
		c.Step(1)
	}
	return utility.ExitIf(f.failed)
}
