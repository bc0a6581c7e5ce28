package redis

import (
	"math"
	"slices"
	"strings"
)

// push returns LPUSH, RPUSH, LPUSHX or RPUSHX.
func push(left, onlyOld bool) func(*call, int64) {
	return func(x *call, _ int64) {
		e, err := x.getKind(x.arg(1), isList)
		switch {
		case err != nil:
			x.fail(err)
			return
		case e == nil && onlyOld:
			x.count(0)
			return
		case e == nil:
			e = x.fresh(x.arg(1), isList)
		}
		x.push(e, left, x.args[2:]...)
		x.count(len(e.Items))
	}
}

func (x *call) push(e *Entry, left bool, items ...string) {
	if x.changed = true; !left {
		e.Items = append(e.Items, items...)
		return
	}
	x.spend(len(e.Items))
	items = slices.Clone(items)
	slices.Reverse(items)
	e.Items = append(items, e.Items...)
}

// take removes an item at an end of a list.
func (x *call) take(e *Entry, left bool) (item string) {
	if left {
		item = e.Items[0]
		e.Items = e.Items[1:]
	} else {
		item = e.Items[len(e.Items)-1]
		e.Items = e.Items[:len(e.Items)-1]
	}
	x.shrunk(e)
	return item
}

// pop returns LPOP or RPOP.
func pop(left bool) func(*call, int64) {
	return func(x *call, _ int64) {
		n := int64(-1)
		if len(x.args) > 2 {
			var err error
			if n, err = integer(x.arg(2)); err != nil || n < 0 {
				x.error("ERR value is out of range, must be positive")
				return
			}
		}
		e, err := x.getKind(x.arg(1), isList)
		switch {
		case err != nil:
			x.fail(err)
		case e == nil && n < 0:
			x.none()
		case e == nil:
			x.noList()
		case n < 0:
			x.text(x.take(e, left))
		default:
			x.list(int(min(n, int64(len(e.Items)))))
			for ; n > 0 && len(e.Items) > 0; n-- {
				x.text(x.take(e, left))
			}
		}
	}
}

// deadline returns when a blocking command gives up; failure is for the client.
func (x *call) deadline(seconds string) (at int64, failure string) {
	f, err := parseFloat(seconds)
	switch {
	case err != nil:
		return 0, "ERR timeout is not a float or out of range"
	case f < 0:
		return 0, "ERR timeout is negative"
	case f == 0:
		return 0, ""
	case f > math.MaxInt32:
		return 0, "ERR timeout is out of range"
	}
	return x.now + int64(math.Ceil(f*1000)), ""
}

// block makes the command wait, or give up if its time is over or it must not wait.
func (x *call) block(at, until int64) {
	if x.inExec || until != 0 && until <= x.now {
		x.noList()
		return
	}
	x.c.Blocked = &Blocked{Args: raws(x.args), Until: at}
}

// blockingPop returns BLPOP or BRPOP.
func blockingPop(left bool) func(*call, int64) {
	return func(x *call, until int64) {
		at, failure := x.deadline(x.arg(len(x.args) - 1))
		if failure != "" {
			x.error(failure)
			return
		}
		if until != 0 {
			at = until
		}
		for _, key := range x.args[1 : len(x.args)-1] {
			e, err := x.getKind(key, isList)
			if err != nil {
				x.fail(err)
				return
			}
			if e != nil {
				x.texts([]string{key, x.take(e, left)})
				return
			}
		}
		x.block(at, until)
	}
}

// ends parses LEFT or RIGHT, twice.
func (x *call) ends(i int) (fromLeft, toLeft, ok bool) {
	for _, n := range [...]int{i, i + 1} {
		if !x.is(n, "left") && !x.is(n, "right") {
			return false, false, false
		}
	}
	return x.is(i, "left"), x.is(i+1, "left"), true
}

// move returns LMOVE, RPOPLPUSH, BLMOVE or BRPOPLPUSH.
func move(named, blocks bool) func(*call, int64) {
	return func(x *call, until int64) {
		fromLeft, toLeft := false, true
		if named {
			var ok bool
			if fromLeft, toLeft, ok = x.ends(3); !ok {
				x.fail(errSyntax)
				return
			}
		}
		at, failure := int64(0), ""
		if blocks {
			if at, failure = x.deadline(x.arg(len(x.args) - 1)); failure != "" {
				x.error(failure)
				return
			}
		}
		if until != 0 {
			at = until
		}
		from, err := x.getKind(x.arg(1), isList)
		if err == nil {
			_, err = x.getKind(x.arg(2), isList)
		}
		switch {
		case err != nil:
			x.fail(err)
		case from == nil && blocks && (x.inExec || until != 0 && until <= x.now):
			x.none()
		case from == nil && blocks:
			x.block(at, until)
		case from == nil:
			x.none()
		default:
			item := x.take(from, fromLeft)
			to, _ := x.make(x.arg(2), isList) // cannot fail: it is a list or does not exist
			x.push(to, toLeft, item)
			x.text(item)
		}
	}
}

func lRange(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isList)
	first, failed := integer(x.arg(2))
	last, failed2 := integer(x.arg(3))
	switch {
	case failed != nil || failed2 != nil:
		x.fail(errInteger)
	case err != nil:
		x.fail(err)
	case e == nil:
		x.list(0)
	default:
		from, to := span(first, last, len(e.Items))
		x.texts(e.Items[from:to])
	}
}

func lTrim(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isList)
	first, failed := integer(x.arg(2))
	last, failed2 := integer(x.arg(3))
	switch {
	case failed != nil || failed2 != nil:
		x.fail(errInteger)
		return
	case err != nil:
		x.fail(err)
		return
	case e != nil:
		from, to := span(first, last, len(e.Items))
		e.Items = slices.Clone(e.Items[from:to])
		x.shrunk(e)
	}
	x.ok()
}

// count returns LLEN, HLEN, SCARD or ZCARD.
func count(k kind) func(*call, int64) {
	return func(x *call, _ int64) {
		e, err := x.getKind(x.arg(1), k)
		switch {
		case err != nil:
			x.fail(err)
		case e == nil:
			x.count(0)
		default:
			x.count(len(e.Items))
		}
	}
}

// at returns the index of an item of a list; −1 if it does not exist.
func (e *Entry) at(n int64) int {
	if n < 0 {
		n += int64(len(e.Items))
	}
	if n < 0 || n >= int64(len(e.Items)) {
		return -1
	}
	return int(n)
}

func lIndex(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isList)
	n, failed := integer(x.arg(2))
	switch {
	case failed != nil:
		x.fail(failed)
	case err != nil:
		x.fail(err)
	case e == nil || e.at(n) < 0:
		x.none()
	default:
		x.text(e.Items[e.at(n)])
	}
}

func lSet(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isList)
	n, failed := integer(x.arg(2))
	switch {
	case err != nil:
		x.fail(err)
	case e == nil:
		x.fail(errNoKey)
	case failed != nil:
		x.fail(failed)
	case e.at(n) < 0:
		x.fail(errIndex)
	default:
		e.Items[e.at(n)], x.changed = x.arg(3), true
		x.ok()
	}
}

func lRem(x *call, _ int64) {
	n, failed := integer(x.arg(2))
	e, err := x.getKind(x.arg(1), isList)
	switch {
	case failed != nil:
		x.fail(failed)
		return
	case err != nil:
		x.fail(err)
		return
	case e == nil:
		x.count(0)
		return
	}
	x.spend(len(e.Items))
	if n < 0 {
		slices.Reverse(e.Items)
	}
	limit, removed := n, 0
	if n < 0 {
		limit = -max(n, -math.MaxInt64)
	}
	e.Items = slices.DeleteFunc(e.Items, func(item string) bool {
		if item != x.arg(3) || limit != 0 && int64(removed) >= limit {
			return false
		}
		removed++
		return true
	})
	if n < 0 {
		slices.Reverse(e.Items)
	}
	if removed > 0 {
		x.shrunk(e)
	}
	x.count(removed)
}

func lInsert(x *call, _ int64) {
	before := x.is(2, "before")
	e, err := x.getKind(x.arg(1), isList)
	switch {
	case !before && !strings.EqualFold(x.arg(2), "after"):
		x.fail(errSyntax)
		return
	case err != nil:
		x.fail(err)
		return
	case e == nil:
		x.count(0)
		return
	}
	x.spend(len(e.Items))
	i := slices.Index(e.Items, x.arg(3))
	if i < 0 {
		x.number(-1)
		return
	}
	if !before {
		i++
	}
	e.Items, x.changed = slices.Insert(e.Items, i, x.arg(4)), true
	x.count(len(e.Items))
}
