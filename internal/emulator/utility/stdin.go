package utility

import (
	"slices"
	"strings"
)

// A Whole that reads standard input takes all of it. So its arguments decide beforehand whether it
// reads: a later command of a script may need the rest.

// IfAsked returns a Utility.Stdin: it reads standard input if an operand says so. The arguments are
// those of OperandsOf.
func IfAsked(valued string, words ...string) func([]string) bool {
	return func(args []string) bool {
		return slices.ContainsFunc(OperandsOf(args, valued, words), IsStdin)
	}
}

// UnlessFiles returns a Utility.Stdin: it reads standard input if no file is named, or if an
// operand says so.
func UnlessFiles(valued string, words ...string) func([]string) bool {
	return func(args []string) bool {
		operands := OperandsOf(args, valued, words)
		return len(operands) == 0 || slices.ContainsFunc(operands, IsStdin)
	}
}

// IsStdin reports whether an operand stands for standard input.
func IsStdin(operand string) bool { return operand == "-" || operand == "/dev/stdin" }

// OperandsOf returns the arguments that are neither options nor values of options: valued are the
// letters that take a value, and words the long options that do.
func OperandsOf(args []string, valued string, words []string) (operands []string) {
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case a == "--":
			return append(operands, args[i+1:]...)
		case strings.HasPrefix(a, "--"):
			if slices.Contains(words, a[2:]) {
				i++
			}
		case len(a) > 1 && a[0] == '-':
			if at := strings.IndexAny(a[1:], valued+"\x00"); at == len(a)-2 {
				i++
			}
		default:
			operands = append(operands, a)
		}
	}
	return operands
}
