package redis

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func del(x *call, _ int64) {
	n := 0
	for _, key := range x.args[1:] {
		if x.remove(key) {
			n++
		}
	}
	x.count(n)
}

func exists(x *call, _ int64) {
	n := 0
	for _, key := range x.args[1:] {
		if x.get(key) != nil {
			n++
		}
	}
	x.count(n)
}

func typeOf(x *call, _ int64) {
	if e := x.get(x.arg(1)); e != nil {
		x.status(string(e.Kind))
		return
	}
	x.status("none")
}

func keys(x *call, _ int64) {
	found, ok := x.matching(x.arg(1), "")
	if !ok {
		x.fail(errWork)
		return
	}
	x.texts(found)
}

// matching returns the keys that match a pattern, only those of kind k if that is set.
func (x *call) matching(pattern string, k kind) (found []string, ok bool) {
	for _, key := range x.keys() {
		if k != "" && x.get(key).Kind != k {
			continue
		}
		fits, steps := match(pattern, key, maxWork-x.work)
		if !x.spend(steps) {
			return nil, false
		}
		if fits {
			found = append(found, key)
		}
	}
	return found, true
}

// match reports whether a pattern matches a text. It makes at most limit steps.
//
// Source: redis 7.4 src/util.c, stringmatchlen
func match(pattern, text string, limit int) (fits bool, steps int) {
	star, from := -1, 0 // the last star, and the offset in the text where it was tried last
	p, t := 0, 0
	for steps = 1; steps <= limit; steps++ {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, t
			p++
			continue
		}
		if t == len(text) {
			return p == len(pattern), steps
		}
		if p < len(pattern) {
			if n, ok := matchOne(pattern[p:], text[t]); ok {
				p, t = p+n, t+1
				continue
			}
		}
		if star < 0 {
			return false, steps
		}
		from++
		p, t = star+1, from
	}
	return false, steps
}

// matchOne reports whether the first element of a pattern matches a byte, and how long that element
// is.
func matchOne(pattern string, c byte) (n int, fits bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == c
		}
	case '[':
		end := strings.IndexByte(pattern[1:], ']')
		if end < 0 {
			end = len(pattern) - 1
		}
		set := pattern[1 : end+1]
		not := strings.HasPrefix(set, "^")
		set = strings.TrimPrefix(set, "^")
		for i := 0; i < len(set); i++ {
			if i+2 < len(set) && set[i+1] == '-' {
				fits = fits || c >= min(set[i], set[i+2]) && c <= max(set[i], set[i+2])
				i += 2
				continue
			}
			fits = fits || set[i] == c
		}
		return min(end+2, len(pattern)), fits != not
	}
	return 1, pattern[0] == c
}

// scan is SCAN. It returns everything at once: its cursor is always at the end.
func scan(x *call, _ int64) {
	if _, err := strconv.ParseUint(x.arg(1), 10, 64); err != nil {
		x.error("ERR invalid cursor")
		return
	}
	pattern, want, err := x.scanOptions(2)
	if err != nil {
		x.fail(err)
		return
	}
	found, ok := x.matching(pattern, want)
	if !ok {
		x.fail(errWork)
		return
	}
	x.list(2)
	x.text("0")
	x.texts(found)
}

// scanOptions parses MATCH, COUNT and TYPE.
func (x *call) scanOptions(from int) (pattern string, want kind, err error) {
	pattern = "*"
	for i := from; i < len(x.args); i += 2 {
		if i+1 == len(x.args) {
			return "", "", errSyntax
		}
		switch {
		case x.is(i, "match"):
			pattern = x.arg(i + 1)
		case x.is(i, "type"):
			want = kind(strings.ToLower(x.arg(i + 1)))
		case x.is(i, "count"):
			if n, err := integer(x.arg(i + 1)); err != nil || n < 1 {
				return "", "", errSyntax
			}
		default:
			return "", "", errSyntax
		}
	}
	return pattern, want, nil
}

// expire returns EXPIRE, PEXPIRE, EXPIREAT or PEXPIREAT.
func expire(unit time.Duration, absolute bool) func(*call, int64) {
	return func(x *call, _ int64) {
		n, err := integer(x.arg(2))
		if err != nil {
			x.fail(err)
			return
		}
		at, ok := x.moment(n, unit, absolute)
		if !ok {
			x.error("ERR invalid expire time in '" + strings.ToLower(x.arg(0)) + "' command")
			return
		}
		e := x.get(x.arg(1))
		if e == nil {
			x.count(0)
			return
		}
		has := e.Expires
		for i := 3; i < len(x.args); i++ {
			var holds bool
			switch strings.ToLower(x.arg(i)) {
			case "nx":
				holds = has == 0
			case "xx":
				holds = has != 0
			case "gt":
				holds = has != 0 && at > has
			case "lt":
				holds = has == 0 || at < has
			default:
				x.error("ERR Unsupported option " + x.arg(i))
				return
			}
			if !holds {
				x.count(0)
				return
			}
		}
		e.Expires, x.changed = at, true
		x.get(x.arg(1)) // removes the key if it has expired
		x.count(1)
	}
}

// moment returns the time that a command names, in milliseconds since 1970.
func (x *call) moment(n int64, unit time.Duration, absolute bool) (at int64, ok bool) {
	if unit == time.Second {
		if n > math.MaxInt64/1000 || n < math.MinInt64/1000 {
			return 0, false
		}
		n *= 1000
	}
	if absolute {
		return max(n, 1), true
	}
	if n > math.MaxInt64-x.now {
		return 0, false
	}
	return max(x.now+n, 1), true
}

// ttl returns TTL, PTTL, EXPIRETIME or PEXPIRETIME.
func ttl(unit time.Duration, absolute bool) func(*call, int64) {
	return func(x *call, _ int64) {
		e := x.get(x.arg(1))
		switch {
		case e == nil:
			x.number(-2)
		case e.Expires == 0:
			x.number(-1)
		default:
			left := e.Expires
			if !absolute {
				left -= x.now
			}
			if unit == time.Second && absolute {
				left /= 1000
			} else if unit == time.Second {
				left = (left + 500) / 1000
			}
			x.number(left)
		}
	}
}

func persist(x *call, _ int64) {
	e := x.get(x.arg(1))
	if e == nil || e.Expires == 0 {
		x.count(0)
		return
	}
	e.Expires, x.changed = 0, true
	x.count(1)
}

// rename returns RENAME or RENAMENX.
func rename(only bool) func(*call, int64) {
	return func(x *call, _ int64) {
		e := x.get(x.arg(1))
		switch {
		case e == nil:
			x.fail(errNoKey)
			return
		case only && x.get(x.arg(2)) != nil:
			x.count(0)
			return
		case x.arg(1) != x.arg(2):
			x.remove(x.arg(1))
			x.remove(x.arg(2))
			i, _ := x.s.find(x.c.DB, x.arg(2))
			e.Key, x.changed = kernel.Text(x.arg(2)), true
			x.s.Entries = slices.Insert(x.s.Entries, i, e)
		}
		if only {
			x.count(1)
			return
		}
		x.ok()
	}
}

func randomKey(x *call, _ int64) {
	if all := x.keys(); len(all) > 0 {
		x.text(all[int(x.s.Commands)%len(all)])
		return
	}
	x.none()
}

func dbSize(x *call, _ int64) { x.count(len(x.keys())) }

// flush returns FLUSHALL or FLUSHDB.
func flush(all bool) func(*call, int64) {
	return func(x *call, _ int64) {
		x.s.Entries = slices.DeleteFunc(x.s.Entries, func(e *Entry) bool { return all || e.DB == x.c.DB })
		x.changed = true
		x.ok()
	}
}
