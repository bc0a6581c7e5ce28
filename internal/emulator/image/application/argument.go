package application

import (
	"path"
	"strconv"
	"strings"
)

// base returns the name by which a program was called, without directories.
func base(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return path.Base(args[0])
}

// flag returns the value of -name, given as -name=value, --name=value or in the next argument;
// fallback if it is not given.
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

// isOn returns the value of a Go boolean flag, given alone or as -name=value. It returns fallback
// if the flag is not given or its value is not a boolean.
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

// number returns the value of a numeric flag.
func number(args []string, name string, fallback int) int {
	n, err := strconv.Atoi(flag(args, name, strconv.Itoa(fallback)))
	if err != nil {
		return fallback
	}
	return n
}

func words(s string) []string { return strings.Fields(s) }
