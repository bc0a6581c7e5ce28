package script

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// echo prints its arguments. As in busybox and bash, -n and -e are options, and escapes count only
// with -e.
func echo(c *utility.Call, _ []byte) int {
	args := c.Args[min(1, len(c.Args)):]
	newline, escapes := true, false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		for _, letter := range args[0][1:] {
			switch letter {
			case 'n':
				newline = false
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes {
		var ended bool
		if text, ended = utility.Unescape(text, true); ended {
			newline = false
		}
	}
	if newline {
		text += "\n"
	}
	c.Print(text)
	return 0
}
