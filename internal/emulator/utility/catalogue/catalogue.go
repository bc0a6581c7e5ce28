// Package catalogue lists all utilities.
package catalogue

import (
	"maps"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/awk"
	"github.com/rowlock/rowlock/internal/emulator/utility/date"
	"github.com/rowlock/rowlock/internal/emulator/utility/file"
	"github.com/rowlock/rowlock/internal/emulator/utility/find"
	"github.com/rowlock/rowlock/internal/emulator/utility/printf"
	"github.com/rowlock/rowlock/internal/emulator/utility/script"
	"github.com/rowlock/rowlock/internal/emulator/utility/sed"
	"github.com/rowlock/rowlock/internal/emulator/utility/system"
	"github.com/rowlock/rowlock/internal/emulator/utility/text"
)

// utilities holds all utilities by name.
var utilities = merged(
	awk.Utilities, date.Utilities, file.Utilities, find.Utilities, printf.Utilities, script.Utilities, sed.Utilities, system.Utilities, text.Utilities,
)

func merged(tables ...map[string]utility.Utility) map[string]utility.Utility {
	all := map[string]utility.Utility{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// Lookup finds a utility by its name.
func Lookup(name string) (utility.Utility, bool) {
	u, ok := utilities[name]
	return u, ok
}

// Names returns the names of all utilities, in no particular order.
func Names() []string {
	names := make([]string, 0, len(utilities))
	for name := range utilities {
		names = append(names, name)
	}
	return names
}
