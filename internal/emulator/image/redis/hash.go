package redis

import (
	"math"
	"slices"
	"strconv"
)

// hSet returns HSET, HMSET or HSETNX.
func hSet(status, onlyNew bool) func(*call, int64) {
	return func(x *call, _ int64) {
		if len(x.args)%2 != 0 {
			x.error("ERR wrong number of arguments for '" + x.arg(0) + "' command")
			return
		}
		e, err := x.make(x.arg(1), isHash)
		if err != nil {
			x.fail(err)
			return
		}
		added := 0
		for i := 2; i < len(x.args); i += 2 {
			at := e.place(x.arg(i))
			switch {
			case at < 0:
				e.put(x.arg(i))
				e.Values = append(e.Values, x.arg(i+1))
				added++
			case !onlyNew:
				e.Values[at] = x.arg(i + 1)
			}
		}
		x.changed = true
		if status {
			x.ok()
			return
		}
		x.count(added)
	}
}

// field returns the value of a field of a hash.
func (e *Entry) field(name string) (value string, ok bool) {
	if e == nil {
		return "", false
	}
	i := e.place(name)
	if i < 0 {
		return "", false
	}
	return e.Values[i], true
}

func hGet(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isHash)
	if err != nil {
		x.fail(err)
		return
	}
	if value, ok := e.field(x.arg(2)); ok {
		x.text(value)
		return
	}
	x.none()
}

func hMGet(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isHash)
	if err != nil {
		x.fail(err)
		return
	}
	x.list(len(x.args) - 2)
	for _, name := range x.args[2:] {
		if value, ok := e.field(name); ok {
			x.text(value)
		} else {
			x.none()
		}
	}
}

// hAll returns HGETALL, HKEYS or HVALS.
func hAll(names, values bool) func(*call, int64) {
	return func(x *call, _ int64) {
		e, err := x.getKind(x.arg(1), isHash)
		if err != nil {
			x.fail(err)
			return
		}
		var all []string
		for i := 0; e != nil && i < len(e.Items); i++ {
			if names {
				all = append(all, e.Items[i])
			}
			if values {
				all = append(all, e.Values[i])
			}
		}
		x.texts(all)
	}
}

// removeItems returns HDEL, SREM or ZREM.
func removeItems(k kind) func(*call, int64) {
	return func(x *call, _ int64) {
		e, err := x.getKind(x.arg(1), k)
		if err != nil {
			x.fail(err)
			return
		}
		removed := 0
		for _, item := range x.args[2:] {
			if e == nil || len(e.Items) == 0 || !x.spend(len(e.Items)) {
				break
			}
			if i := e.place(item); i >= 0 {
				e.drop(i)
				removed++
			}
		}
		if removed > 0 {
			x.shrunk(e)
		}
		x.count(removed)
	}
}

// contains returns HEXISTS or SISMEMBER.
func contains(k kind) func(*call, int64) {
	return func(x *call, _ int64) {
		e, err := x.getKind(x.arg(1), k)
		if err != nil {
			x.fail(err)
			return
		}
		x.yes(e != nil && e.place(x.arg(2)) >= 0)
	}
}

func hIncrBy(x *call, _ int64) {
	by, failed := integer(x.arg(3))
	if failed != nil {
		x.fail(failed)
		return
	}
	e, err := x.getKind(x.arg(1), isHash)
	if err != nil {
		x.fail(err)
		return
	}
	n := int64(0)
	if value, ok := e.field(x.arg(2)); ok {
		if n, err = integer(value); err != nil {
			x.error("ERR hash value is not an integer")
			return
		}
	}
	if by > 0 && n > math.MaxInt64-by || by < 0 && n < math.MinInt64-by {
		x.error("ERR increment or decrement would overflow")
		return
	}
	if e == nil {
		e = x.fresh(x.arg(1), isHash)
	}
	text := strconv.FormatInt(n+by, 10)
	if i := e.place(x.arg(2)); i >= 0 {
		e.Values[i] = text
	} else {
		e.put(x.arg(2))
		e.Values = append(e.Values, text)
	}
	x.changed = true
	x.number(n + by)
}

// Sets.

func sAdd(x *call, _ int64) {
	e, err := x.make(x.arg(1), isSet)
	if err != nil {
		x.fail(err)
		return
	}
	added := 0
	for _, item := range x.args[2:] {
		if e.place(item) < 0 {
			e.put(item)
			added++
		}
	}
	x.changed = x.changed || added > 0
	x.count(added)
}

func sMembers(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isSet)
	switch {
	case err != nil:
		x.fail(err)
	case e == nil:
		x.list(0)
	default:
		x.texts(e.Items)
	}
}

// sPop returns SPOP or, if it does not remove, SRANDMEMBER.
//
// Differs: the choice of the member depends only on what the server has done so far.
func sPop(removes bool) func(*call, int64) {
	return func(x *call, _ int64) {
		e, err := x.getKind(x.arg(1), isSet)
		n := int64(1)
		if err == nil && len(x.args) > 2 {
			if n, err = integer(x.arg(2)); err == nil && n < 0 {
				x.error("ERR value is out of range, must be positive")
				return
			}
		}
		if err != nil {
			x.fail(err)
			return
		}
		var got []string
		if e != nil {
			all := slices.Clone(e.Items)
			for int64(len(got)) < n && len(all) > 0 && x.spend(len(all)) {
				i := int(uint64(x.s.Commands)*2654435761>>8) % len(all)
				got, all = append(got, all[i]), slices.Delete(all, i, i+1)
			}
			if removes && len(got) > 0 {
				e.Items, e.places = all, nil
				x.shrunk(e)
			}
		}
		switch {
		case len(x.args) > 2:
			x.texts(got)
		case len(got) == 0:
			x.none()
		default:
			x.text(got[0])
		}
	}
}

// combine returns SINTER, SUNION or SDIFF: keep says whether an item of the first set stays, given
// whether a further set has it.
func combine(union bool, keep func(has bool) bool) func(*call, int64) {
	return func(x *call, _ int64) {
		var all []string
		for i, key := range x.args[1:] {
			e, err := x.getKind(key, isSet)
			if err != nil {
				x.fail(err)
				return
			}
			if e == nil {
				e = &Entry{}
			}
			x.spend(len(e.Items) + len(all))
			switch {
			case union || i == 0:
				all = append(all, e.Items...)
			default:
				all = slices.DeleteFunc(all, func(item string) bool { return !keep(e.place(item) >= 0) })
			}
		}
		if union {
			slices.Sort(all)
			all = slices.Compact(all)
		}
		x.texts(all)
	}
}
