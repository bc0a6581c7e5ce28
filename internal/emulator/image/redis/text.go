package redis

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func get(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isString)
	x.value(e, err)
}

// value answers with a string.
func (x *call) value(e *Entry, err error) {
	switch {
	case err != nil:
		x.fail(err)
	case e == nil:
		x.none()
	default:
		x.text(string(e.Text))
	}
}

// setOptions are the options of SET.
type setOptions struct {
	onlyNew, onlyOld, keep, old bool
	expires                     int64
}

// setOptions parses the options of SET; failure is for the client.
func (x *call) setOptions(name string) (o setOptions, failure string) {
	for i := 3; i < len(x.args); i++ {
		word := strings.ToLower(x.arg(i))
		switch word {
		case "nx":
			o.onlyNew = true
		case "xx":
			o.onlyOld = true
		case "keepttl":
			o.keep = true
		case "get":
			o.old = true
		case "ex", "px", "exat", "pxat":
			if i++; i == len(x.args) || o.expires != 0 {
				return o, errSyntax.Error()
			}
			unit := time.Second
			if word[0] == 'p' {
				unit = time.Millisecond
			}
			n, err := integer(x.arg(i))
			if err != nil {
				return o, err.Error()
			}
			at, ok := x.moment(n, unit, strings.HasSuffix(word, "at"))
			if !ok || n <= 0 {
				return o, "ERR invalid expire time in '" + name + "' command"
			}
			o.expires = at
		default:
			return o, errSyntax.Error()
		}
	}
	if o.onlyNew && o.onlyOld || o.keep && o.expires != 0 {
		return o, errSyntax.Error()
	}
	return o, ""
}

func set(x *call, _ int64) {
	o, failure := x.setOptions("set")
	if failure != "" {
		x.error(failure)
		return
	}
	e := x.get(x.arg(1))
	if o.old {
		if e != nil && e.Kind != isString {
			x.fail(errKind)
			return
		}
		x.value(e, nil)
	}
	if o.onlyNew && e != nil || o.onlyOld && e == nil {
		if !o.old {
			x.none()
		}
		return
	}
	if o.keep && e != nil {
		o.expires = e.Expires
	}
	x.put(x.arg(1), x.arg(2), o.expires)
	if !o.old {
		x.ok()
	}
}

// put sets a key to a string.
func (x *call) put(key, text string, expires int64) {
	e := x.fresh(key, isString)
	e.Text, e.Expires = kernel.Text(text), expires
	x.get(key) // removes the key if it has already expired
}

func setNX(x *call, _ int64) {
	if x.get(x.arg(1)) != nil {
		x.count(0)
		return
	}
	x.put(x.arg(1), x.arg(2), 0)
	x.count(1)
}

// setEX returns SETEX or PSETEX.
func setEX(unit time.Duration) func(*call, int64) {
	return func(x *call, _ int64) {
		n, err := integer(x.arg(2))
		if err != nil {
			x.fail(err)
			return
		}
		at, ok := x.moment(n, unit, false)
		if !ok || n <= 0 {
			x.error("ERR invalid expire time in '" + strings.ToLower(x.arg(0)) + "' command")
			return
		}
		x.put(x.arg(1), x.arg(3), at)
		x.ok()
	}
}

func getSet(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isString)
	if x.value(e, err); err == nil {
		x.put(x.arg(1), x.arg(2), 0)
	}
}

func getDel(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isString)
	if x.value(e, err); e != nil {
		x.remove(x.arg(1))
	}
}

func mGet(x *call, _ int64) {
	x.list(len(x.args) - 1)
	for _, key := range x.args[1:] {
		e, err := x.getKind(key, isString)
		if err != nil {
			e = nil
		}
		x.value(e, nil)
	}
}

// mSet returns MSET or MSETNX.
func mSet(onlyNew bool) func(*call, int64) {
	return func(x *call, _ int64) {
		if len(x.args)%2 == 0 {
			x.error("ERR wrong number of arguments for '" + strings.ToLower(x.arg(0)) + "' command")
			return
		}
		for i := 1; i < len(x.args) && onlyNew; i += 2 {
			if x.get(x.arg(i)) != nil {
				x.count(0)
				return
			}
		}
		for i := 1; i < len(x.args); i += 2 {
			x.put(x.arg(i), x.arg(i+1), 0)
		}
		if onlyNew {
			x.count(1)
			return
		}
		x.ok()
	}
}

// increase returns INCR, DECR, INCRBY or DECRBY.
func increase(sign int64, given bool) func(*call, int64) {
	return func(x *call, _ int64) {
		by := sign
		if given {
			n, err := integer(x.arg(2))
			if err != nil || sign < 0 && n == math.MinInt64 {
				x.fail(errInteger)
				return
			}
			by = sign * n
		}
		e, err := x.getKind(x.arg(1), isString)
		if err != nil {
			x.fail(err)
			return
		}
		var n int64
		if e != nil {
			if n, err = integer(string(e.Text)); err != nil {
				x.fail(err)
				return
			}
		}
		if by > 0 && n > math.MaxInt64-by || by < 0 && n < math.MinInt64-by {
			x.error("ERR increment or decrement would overflow")
			return
		}
		if e == nil {
			e = x.fresh(x.arg(1), isString)
		}
		e.Text, x.changed = kernel.Text(strconv.FormatInt(n+by, 10)), true
		x.number(n + by)
	}
}

func increaseFloat(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isString)
	by, failed := parseFloat(x.arg(2))
	if err != nil || failed != nil {
		if err == nil {
			err = failed
		}
		x.fail(err)
		return
	}
	if e != nil {
		n, err := parseFloat(string(e.Text))
		if err != nil {
			x.fail(err)
			return
		}
		by += n
	}
	if math.IsNaN(by) || math.IsInf(by, 0) {
		x.error("ERR increment would produce NaN or Infinity")
		return
	}
	if e == nil {
		e = x.fresh(x.arg(1), isString)
	}
	e.Text, x.changed = kernel.Text(strconv.FormatFloat(by, 'f', -1, 64)), true
	x.text(string(e.Text))
}

func parseFloat(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || strings.ContainsAny(s, "_xXpP") {
		return 0, errFloat
	}
	return f, nil
}

func appendTo(x *call, _ int64) {
	e, err := x.make(x.arg(1), isString)
	if err != nil {
		x.fail(err)
		return
	}
	e.Text, x.changed = e.Text+kernel.Text(x.arg(2)), true
	x.count(len(e.Text))
}

func strLen(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isString)
	switch {
	case err != nil:
		x.fail(err)
	case e == nil:
		x.count(0)
	default:
		x.count(len(e.Text))
	}
}

func getRange(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isString)
	first, failed := integer(x.arg(2))
	last, failed2 := integer(x.arg(3))
	switch {
	case failed != nil || failed2 != nil:
		x.fail(errInteger)
	case err != nil:
		x.fail(err)
	case e == nil:
		x.text("")
	default:
		from, to := span(first, last, len(e.Text))
		x.text(string(e.Text[from:to]))
	}
}

// span resolves two inclusive indexes, which count from the end if negative, to a half-open range;
// from equals to if it is empty.
func span(first, last int64, n int) (from, to int) {
	if first < 0 {
		first = max(first+int64(n), 0)
	}
	if last < 0 {
		last += int64(n)
	}
	last = min(last, int64(n)-1)
	if first > last || first >= int64(n) {
		return 0, 0
	}
	return int(first), int(last) + 1
}
