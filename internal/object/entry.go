package object

import (
	"bytes"
	"hash/maphash"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// decodeEntry decodes an entry into a shared one.
func decodeEntry(d *jsontext.Decoder, e *metav1.ManagedFieldsEntry) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	s, ok := splitEntry(value)
	if !ok {
		return json.Unmarshal(value, e, Decoding)
	}
	h := headers.find(s)
	if h == nil {
		if h, err = newHeader(s); err != nil {
			return err
		}
		headers.keep(h)
	}
	*e = sharedOf(&h.entry, s.fields).entry
	e.Time = &metav1.Time{Time: s.time}
	return nil
}

const keyTime, keyFields = `"time":`, `"fieldsV1":`

// parts are an entry's JSON as appendEntry writes it. Few entries differ in more than their times
// and their fields.
type parts struct {
	before  []byte // the time
	time    time.Time
	between []byte
	fields  []byte
	after   []byte
}

// splitEntry returns the parts of an entry, false if it is written in another way. Texts contain no
// key, as quotes are escaped there.
func splitEntry(value []byte) (p parts, ok bool) {
	before, rest, _ := bytes.Cut(value, []byte(keyTime))
	at := rest[:min(timeSize, len(rest))]
	between, rest, _ := bytes.Cut(rest[len(at):], []byte(keyFields))
	end := EndOfValue(rest, len("{"))
	if end < 0 || rest[0] != '{' || bytes.LastIndexByte(before, '{') != 0 || bytes.IndexByte(between, '{') >= 0 {
		return parts{}, false
	}
	p = parts{before: before, between: between, fields: rest[:end+1], after: rest[end+1:]}
	p.time, ok = parseTime(at)
	return p, ok
}

// header is an entry without its time and its fields, and the JSON around these.
type header struct {
	before, between, after string
	entry                  metav1.ManagedFieldsEntry
}

// headerCache has headers that were recently decoded. One replaces another in its place. It is safe
// for concurrent use.
type headerCache [256]atomic.Pointer[header]

var headers headerCache

// find returns the header that was decoded from the same JSON, or nil.
func (c *headerCache) find(p parts) *header {
	h := c.place(p.before, p.after).Load()
	if h == nil || h.before != string(p.before) || h.between != string(p.between) || h.after != string(p.after) {
		return nil
	}
	return h
}

func (c *headerCache) keep(h *header) { c.place([]byte(h.before), []byte(h.after)).Store(h) }

func (c *headerCache) place(before, after []byte) *atomic.Pointer[header] {
	return &c[(maphash.Bytes(sharedSeed, before)^maphash.Bytes(sharedSeed, after))%uint64(len(c))]
}

func newHeader(p parts) (*header, error) {
	h := &header{before: string(p.before), between: string(p.between), after: string(p.after)}
	err := json.Unmarshal([]byte(h.before+keyTime+"null"+h.between+keyFields+"null"+h.after), &h.entry, Decoding)
	return h, err
}
