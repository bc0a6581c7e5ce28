package application

import (
	"path"
	"strconv"
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

// isOn is the value of a flag of Go's that is on or off; it stands alone, or as -name=value. fallback counts where it is not given, and
// where its value says neither.
func isOn(args []string, name string, fallback bool) bool {
	for i, arg := range args {
		key, value, has := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch on, err := strconv.ParseBool(value); {
		case i == 0 || !strings.HasPrefix(arg, "-") || key != name:
		case !has:
			return true
		case err == nil:
			return on
		}
	}
	return fallback
}
