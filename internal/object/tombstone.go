package object

import (
	"bytes"
	"strconv"
	"time"
)

// Succeed gives the version of a removal, which is not shared yet and has no body of its own, the
// type and the body of the version before.
//
// If the type is Graceful and the object was not being deleted before, the body also shows the
// removal: deletionTimestamp is the time of the version, deletionGracePeriodSeconds is 0, and the
// generation is incremented. So the log need not repeat a body for that.
func (v *Version) Succeed(old *Version) {
	if v.Type.Custom != nil {
		v.Type = old.Type
	}
	body := old.Body()
	marks := Mark(old.marks.Load())
	if v.Type.Graceful && body != nil && !old.Is(Terminating) {
		body = marked(v.Type, body, v.At.Time())
		marks = Mark(old.marks.Load()) | Terminating
	}
	v.SetBody(body)
	v.marks.Store(uint32(marks))
}

// The scalars at the beginning of metadata in a body.
var (
	creationTime = []byte(`"creationTimestamp":"`)
	generation   = []byte(`"generation":`)
)

// marked returns a copy of a body with the marks of a removal at a time. They are placed where the
// encoder places them: the fields before them are scalars without brackets.
func marked(t *Type, body []byte, at time.Time) []byte {
	const room = 96 // for what is added
	begin := len(Prefix(t))
	scalars := body[begin:]
	if n := bytes.IndexAny(scalars, "{}["); n >= 0 {
		scalars = scalars[:n]
	}
	out := append(make([]byte, 0, len(body)+room), body[:begin]...)
	rest := body[begin:]
	if from := bytes.Index(scalars, generation); from >= 0 {
		from += len(generation)
		to := from
		for to < len(scalars) && scalars[to] >= '0' && scalars[to] <= '9' {
			to++
		}
		if n, err := strconv.ParseInt(string(scalars[from:to]), 10, 64); err == nil && n > 0 {
			out = strconv.AppendInt(append(out, rest[:from]...), n+1, 10)
			rest, scalars = rest[to:], scalars[to:]
		}
	}
	if from := bytes.Index(scalars, creationTime); from >= 0 {
		from += len(creationTime)
		if n := bytes.IndexByte(scalars[from:], '"'); n >= 0 {
			end := from + n + 1
			out = appendDeletion(append(append(out, rest[:end]...), ','), at)
			return append(out, rest[end:]...)
		}
	}
	// An object without a creationTimestamp: its metadata has at least a name.
	first := append(append([]byte(nil), out[:begin]...), append(appendDeletion(nil, at), ',')...)
	return append(append(first, out[begin:]...), rest...)
}

func appendDeletion(dst []byte, at time.Time) []byte {
	dst = append(dst, `"deletionTimestamp":"`...)
	dst = at.UTC().Truncate(time.Second).AppendFormat(dst, time.RFC3339)
	return append(dst, `","deletionGracePeriodSeconds":0`...)
}
