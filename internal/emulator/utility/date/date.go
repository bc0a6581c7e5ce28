// Package date has the utility date, and what other utilities need of it: how times are parsed and
// formatted.
package date

import (
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	"date": {Whole: date},
}

// date prints the time.
func date(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "ud:RI::r:D:s:", Long: map[string]byte{
		"utc": 'u', "universal": 'u', "date:": 'd', "rfc-2822": 'R', "rfc-email": 'R', "iso-8601::": 'I', "rfc-3339:": '3', "reference:": 'r', "set:": 's',
	}})
	if o.Has('s') {
		c.Fatal(1, "cannot set date: Operation not permitted")
	}
	if o.Has('D') {
		c.Fatal(1, "unrecognized option: D")
	}
	zone := time.UTC
	if !o.Has('u') {
		zone = Zone(c.Env["TZ"])
	}
	at := c.Now.In(zone)
	if file, ok := o.Last('r'); ok {
		i, err := c.FS.Stat(c.Abs(file))
		if err != nil {
			c.Fatal(1, "%s: %s", file, vfs.Reason(err))
		}
		at = i.MTime.In(zone)
	}
	if text, ok := o.Last('d'); ok {
		if at, ok = Parse(text, at); !ok {
			c.Fatal(1, "invalid date '%s'", text)
		}
	}
	format := "%a %b %e %H:%M:%S %Z %Y"
	switch {
	case len(o.Rest) > 1:
		c.Fatal(1, "extra operand '%s'", o.Rest[1])
	case len(o.Rest) == 1 && strings.HasPrefix(o.Rest[0], "+"):
		format = o.Rest[0][1:]
	case len(o.Rest) == 1:
		c.Fatal(1, "invalid date '%s'", o.Rest[0])
	case o.Has('R'):
		format = "%a, %d %b %Y %H:%M:%S %z"
	case o.Has('3'):
		format = rfc3339(c, o)
	case o.Has('I'):
		format = iso8601(c, o)
	}
	text := Format(format, at)
	c.Need(int64(len(text)))
	c.Print(text + "\n")
	return 0
}

func iso8601(c *utility.Call, o *utility.Options) string {
	switch precision, _ := o.Last('I'); precision {
	case "", "date":
		return "%Y-%m-%d"
	case "hours":
		return "%Y-%m-%dT%H%:z"
	case "minutes":
		return "%Y-%m-%dT%H:%M%:z"
	case "seconds":
		return "%Y-%m-%dT%H:%M:%S%:z"
	case "ns":
		return "%Y-%m-%dT%H:%M:%S,%N%:z"
	default:
		c.Fatal(1, "invalid argument '%s' for '--iso-8601'", precision)
		return ""
	}
}

func rfc3339(c *utility.Call, o *utility.Options) string {
	switch precision, _ := o.Last('3'); precision {
	case "date":
		return "%Y-%m-%d"
	case "seconds":
		return "%Y-%m-%d %H:%M:%S%:z"
	case "ns":
		return "%Y-%m-%d %H:%M:%S.%N%:z"
	default:
		c.Fatal(1, "invalid argument '%s' for '--rfc-3339'", precision)
		return ""
	}
}
