package redis

import (
	"cmp"
	"slices"
	"strings"
)

// score sets the score of an item, which moves to its place.
func (e *Entry) score(item string, s Score) (isNew bool) {
	if isNew = true; len(e.Items) > 0 {
		if i := e.place(item); i >= 0 {
			isNew = false
			e.drop(i)
		}
	}
	at := 0
	for to := len(e.Items); at < to; {
		if mid := (at + to) / 2; cmp.Or(cmp.Compare(e.Scores[mid], s), strings.Compare(e.Items[mid], item)) < 0 {
			at = mid + 1
		} else {
			to = mid
		}
	}
	e.Items, e.Scores, e.places = slices.Insert(e.Items, at, item), slices.Insert(e.Scores, at, s), nil
	return isNew
}

func zAdd(x *call, _ int64) {
	i := 2
	var onlyNew, onlyOld, changed, increments bool
options:
	for ; i < len(x.args); i++ {
		switch strings.ToLower(x.arg(i)) {
		case "nx":
			onlyNew = true
		case "xx":
			onlyOld = true
		case "ch":
			changed = true
		case "incr":
			increments = true
		case "gt", "lt":
			x.error("ERR rowlock: GT and LT are not emulated")
			return
		default:
			break options
		}
	}
	pairs := x.args[i:]
	if len(pairs) == 0 || len(pairs)%2 != 0 || onlyNew && onlyOld || increments && len(pairs) != 2 {
		x.fail(errSyntax)
		return
	}
	scores := make([]Score, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		f, err := parseFloat(pairs[i])
		if err != nil {
			x.fail(err)
			return
		}
		scores = append(scores, Score(f))
	}
	e, err := x.getKind(x.arg(1), isSorted)
	if err != nil {
		x.fail(err)
		return
	}
	n := 0
	for i, s := range scores {
		item, at := pairs[2*i+1], -1
		if e != nil {
			at = e.place(item)
		}
		if onlyNew && at >= 0 || onlyOld && at < 0 {
			continue
		}
		if e == nil {
			e = x.fresh(x.arg(1), isSorted)
		}
		if increments && at >= 0 {
			s += e.Scores[at]
		}
		differs := at < 0 || e.Scores[at] != s
		if !x.spend(len(e.Items)) {
			break
		}
		if isNew := e.score(item, s); isNew || changed && differs {
			n++
		}
		x.changed = true
		if increments {
			x.text(formatScore(s))
			return
		}
	}
	if increments {
		x.none()
		return
	}
	x.count(n)
}

func zIncrBy(x *call, _ int64) {
	x.args = []string{x.arg(0), x.arg(1), "incr", x.arg(2), x.arg(3)}
	zAdd(x, 0)
}

func zScore(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isSorted)
	if err != nil {
		x.fail(err)
		return
	}
	if e != nil {
		if i := e.place(x.arg(2)); i >= 0 {
			x.text(formatScore(e.Scores[i]))
			return
		}
	}
	x.none()
}

// zRank returns ZRANK or ZREVRANK.
func zRank(reverse bool) func(*call, int64) {
	return func(x *call, _ int64) {
		e, err := x.getKind(x.arg(1), isSorted)
		if err != nil {
			x.fail(err)
			return
		}
		if e != nil {
			if i := e.place(x.arg(2)); i >= 0 && reverse {
				x.count(len(e.Items) - 1 - i)
				return
			} else if i >= 0 {
				x.count(i)
				return
			}
		}
		x.none()
	}
}

// zRange returns ZRANGE, ZREVRANGE, ZRANGEBYSCORE or ZREVRANGEBYSCORE.
func zRange(byScore, reverse bool) func(*call, int64) {
	return func(x *call, _ int64) {
		r := zRanged{byScore: byScore, reverse: reverse, limit: -1}
		failure := r.options(x)
		e, err := x.getKind(x.arg(1), isSorted)
		switch {
		case failure != "":
			x.error(failure)
			return
		case err != nil:
			x.fail(err)
			return
		case e == nil:
			x.list(0)
			return
		}
		x.spend(len(e.Items))
		places, failure := r.places(x, e)
		if failure != "" {
			x.error(failure)
			return
		}
		var all []string
		for _, i := range places {
			all = append(all, e.Items[i])
			if r.scores {
				all = append(all, formatScore(e.Scores[i]))
			}
		}
		x.texts(all)
	}
}

// zRanged describes a range of a sorted set.
type zRanged struct {
	byScore, reverse, scores bool
	offset, limit            int64
}

func (r *zRanged) options(x *call) (failure string) {
	for i := 4; i < len(x.args); i++ {
		switch strings.ToLower(x.arg(i)) {
		case "withscores":
			r.scores = true
		case "rev":
			r.reverse = true
		case "byscore":
			r.byScore = true
		case "bylex":
			return "ERR rowlock: BYLEX is not emulated"
		case "limit":
			if i+2 >= len(x.args) {
				return errSyntax.Error()
			}
			var err, err2 error
			r.offset, err = integer(x.arg(i + 1))
			r.limit, err2 = integer(x.arg(i + 2))
			if err != nil || err2 != nil {
				return errInteger.Error()
			}
			i += 2
		default:
			return errSyntax.Error()
		}
	}
	return ""
}

// places returns the indexes of the items in the range, in the order of the answer.
func (r *zRanged) places(x *call, e *Entry) (places []int, failure string) {
	n := len(e.Items)
	first, last := x.arg(2), x.arg(3)
	if !r.byScore {
		a, err := integer(first)
		b, err2 := integer(last)
		if err != nil || err2 != nil {
			return nil, errInteger.Error()
		}
		from, to := span(a, b, n)
		for i := from; i < to; i++ {
			if r.reverse {
				places = append(places, n-1-i)
			} else {
				places = append(places, i)
			}
		}
		return places, ""
	}
	if r.reverse {
		first, last = last, first
	}
	least, open, err := bound(first)
	most, open2, err2 := bound(last)
	if err != nil || err2 != nil {
		return nil, "ERR min or max is not a float"
	}
	for i, s := range e.Scores {
		if s > least && s < most || s == least && !open && s <= most && (s != most || !open2) || s == most && !open2 && s > least {
			places = append(places, i)
		}
	}
	if r.reverse {
		slices.Reverse(places)
	}
	places = places[min(max(r.offset, 0), int64(len(places))):]
	if r.limit >= 0 {
		places = places[:min(r.limit, int64(len(places)))]
	}
	return places, ""
}

// bound parses an end of a range of scores; open says that the range does not include the score
// itself.
func bound(text string) (s Score, open bool, err error) {
	text, open = strings.CutPrefix(text, "(")
	f, err := parseFloat(text)
	return Score(f), open, err
}

func zCount(x *call, _ int64) {
	e, err := x.getKind(x.arg(1), isSorted)
	switch {
	case err != nil:
		x.fail(err)
		return
	case e == nil:
		x.count(0)
		return
	}
	x.spend(len(e.Items))
	r := zRanged{byScore: true, limit: -1}
	places, failure := r.places(x, e)
	if failure != "" {
		x.error(failure)
		return
	}
	x.count(len(places))
}
