package system

import (
	"maps"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// env prints the environment, by name. Running a program in another environment is up to the
// package program.
func env(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "+i0u:", Usage: 125, Long: map[string]byte{"ignore-environment": 'i', "null": '0', "unset:": 'u'}})
	vars := maps.Clone(c.Env)
	if o.Has('i') {
		vars = map[string]string{}
	}
	for _, name := range o.All('u') {
		delete(vars, name)
	}
	for i, word := range o.Rest {
		name, value, assigns := strings.Cut(word, "=")
		if word == "-" && i == 0 {
			clear(vars)
			continue
		}
		if !assigns {
			c.Fatal(125, "%s: cannot run programs from here", word)
		}
		if vars == nil {
			vars = map[string]string{}
		}
		vars[name] = value
	}
	end := "\n"
	if o.Has('0') {
		end = "\x00"
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		c.Print(name + "=" + vars[name] + end)
	}
	return 0
}

// printenv prints the values of variables, or the whole environment.
func printenv(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "+0", Usage: 2, Long: map[string]byte{"null": '0'}})
	end := "\n"
	if o.Has('0') {
		end = "\x00"
	}
	if len(o.Rest) == 0 {
		for _, name := range slices.Sorted(maps.Keys(c.Env)) {
			c.Print(name + "=" + c.Env[name] + end)
		}
		return 0
	}
	missing := false
	for _, name := range o.Rest {
		value, known := c.Env[name]
		if missing = missing || !known; known {
			c.Print(value + end)
		}
	}
	return utility.ExitIf(missing)
}
