package utility

import (
	"slices"
	"strings"
)

// A Whole that reads standard input takes all of it. So its arguments decide beforehand whether it
// reads: a later command of a script may need the rest.

// ifAsked reads standard input if an operand says so.
func ifAsked(valued string, words ...string) func([]string) bool {
	return func(args []string) bool {
		return slices.ContainsFunc(operandsOf(args, valued, words), isStdin)
	}
}

// unlessFiles reads standard input if no file is named, or if an operand says so.
func unlessFiles(valued string, words ...string) func([]string) bool {
	return func(args []string) bool {
		operands := operandsOf(args, valued, words)
		return len(operands) == 0 || slices.ContainsFunc(operands, isStdin)
	}
}

func isStdin(operand string) bool { return operand == "-" || operand == "/dev/stdin" }

// operandsOf returns the arguments that are neither options nor values of options: valued are the
// letters that take a value, and words the long options that do.
func operandsOf(args []string, valued string, words []string) (operands []string) {
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

// tarReads reads standard input if an archive comes from there.
func tarReads(args []string) bool {
	if len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		args = append([]string{args[0], "-" + args[1]}, args[2:]...)
	}
	for i, a := range args {
		if file, ok := strings.CutPrefix(a, "--file="); ok {
			return isStdin(file)
		}
		if a == "--file" || i > 0 && len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.Contains(a, "f") {
			_, file, _ := strings.Cut(a, "f")
			if file == "" || a == "--file" {
				file = strings.Join(args[min(len(args), i+1):min(len(args), i+2)], "")
			}
			return isStdin(file)
		}
	}
	return true
}
