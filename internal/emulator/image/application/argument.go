package application

import (
	"path"
	"strings"
)

// base is the name that a program was called by, without directories.
func base(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return path.Base(args[0])
}

// flag is the value of -name, as -name=value, --name=value or in the next argument; fallback where it is not given.
func flag(args []string, name, fallback string) string {
	for i, arg := range args {
		if i == 0 || !strings.HasPrefix(arg, "-") {
			continue
		}
		key, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case key != name:
		case has:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return fallback
}
