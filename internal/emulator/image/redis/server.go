package redis

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Server is the data and the settings of a Redis. The zero Server is empty, and holds up to
// maxData.
type Server struct {
	Entries []*Entry `json:",omitempty"` // by DB and Key

	Config []Setting `json:",omitempty"` // what was set, by name

	Password string `json:",omitempty"` // "" means that none is needed
	Leader   string `json:",omitempty"` // "host port" of the server that it copies
	LinkUp   bool   `json:",omitempty"` // the leader has answered

	ID       string   `json:",omitempty"` // of the data's history
	Offset   int64    `json:",omitempty"` // the number of changes in that history
	Copied   string   `json:",omitempty"` // the leader's ID and Offset that it has copied
	Replicas []string `json:",omitempty"` // the addresses of the servers that have copied this one

	Started  int64  `json:",omitempty"` // in milliseconds since 1970
	Commands int64  `json:",omitempty"` // how many it has executed
	Uses     uint64 `json:",omitempty"` // the number of the last use of an entry
	Saved    int64  `json:",omitempty"` // the Offset that was last saved, and
	SavedAt  int64  `json:",omitempty"` // when, in milliseconds since 1970
	Save     bool   `json:",omitempty"` // the data must be written to its file
	Shutdown string `json:",omitempty"` // how a client told it to stop: "save" or "nosave"

	room int // how many bytes can be added without counting again; 0 if that is not known
}

// Setting is a line of the configuration.
type Setting struct{ Name, Value string }

const (
	// maxData is the most bytes of keys and values, counting perItem for each.
	maxData = 512 << 10
	perItem = 16

	databases   = 16
	maxReplicas = 16
)

// kind is the type of a key's value.
type kind string

const (
	isString kind = "string"
	isList   kind = "list"
	isHash   kind = "hash"
	isSet    kind = "set"
	isSorted kind = "zset"
)

// Entry is a key with its value.
type Entry struct {
	DB      int `json:",omitempty"`
	Key     kernel.Text
	Kind    kind
	Text    kernel.Text  `json:",omitempty"` // of a string
	Items   kernel.Texts `json:",omitempty"` // of a list, a hash (fields), a set, or a sorted set
	Values  kernel.Texts `json:",omitempty"` // of the fields of a hash
	Scores  []Score      `json:",omitempty"` // of the items of a sorted set, which are sorted by them
	Expires int64        `json:",omitempty"` // in milliseconds since 1970; 0 means never
	Used    uint64       `json:",omitempty"` // the number of its last use

	places map[string]int // of the items of hashes and sets; nil if not computed
}

// Score is the score of an item.
type Score float64

// MarshalJSON implements json.Marshaler: JSON has no infinite numbers.
func (s Score) MarshalJSON() ([]byte, error) { return json.Marshal(formatScore(s)) }

// UnmarshalJSON implements json.Unmarshaler.
func (s *Score) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	f, err := strconv.ParseFloat(text, 64)
	*s = Score(f)
	return err
}

// size returns what the entry counts towards the limit, in bytes.
func (e *Entry) size() int {
	n := len(e.Key) + len(e.Text) + perItem*(1+len(e.Items)+len(e.Values))
	for _, i := range e.Items {
		n += len(i)
	}
	for _, v := range e.Values {
		n += len(v)
	}
	return n
}

// place returns the index of an item; −1 if it does not exist.
func (e *Entry) place(item string) int {
	if e.places == nil {
		e.places = make(map[string]int, len(e.Items))
		for i, it := range e.Items {
			e.places[it] = i
		}
	}
	if i, ok := e.places[item]; ok {
		return i
	}
	return -1
}

// put adds an item at the end.
func (e *Entry) put(item string) {
	e.place(item)
	e.places[item] = len(e.Items)
	e.Items = append(e.Items, item)
}

// drop removes an item.
func (e *Entry) drop(i int) {
	e.Items, e.places = slices.Delete(e.Items, i, i+1), nil
	if e.Values != nil {
		e.Values = slices.Delete(e.Values, i, i+1)
	}
	if e.Scores != nil {
		e.Scores = slices.Delete(e.Scores, i, i+1)
	}
}

// find returns the index of a key in Entries, or where it belongs.
func (s *Server) find(db int, key string) (int, bool) {
	return slices.BinarySearchFunc(s.Entries, Entry{DB: db, Key: kernel.Text(key)}, func(e *Entry, t Entry) int {
		return cmp.Or(cmp.Compare(e.DB, t.DB), cmp.Compare(e.Key, t.Key))
	})
}

// get returns the entry of a key; nil if it does not exist or has expired.
func (x *call) get(key string) *Entry {
	i, ok := x.s.find(x.c.DB, key)
	if !ok {
		return nil
	}
	e := x.s.Entries[i]
	if e.Expires != 0 && e.Expires <= x.now {
		x.s.Entries = slices.Delete(x.s.Entries, i, i+1)
		return nil
	}
	x.s.Uses++
	e.Used = x.s.Uses
	return e
}

// getKind is get for a command that needs a kind: the error is errKind.
func (x *call) getKind(key string, k kind) (*Entry, error) {
	e := x.get(key)
	if e != nil && e.Kind != k {
		return nil, errKind
	}
	return e, nil
}

// make is getKind, but adds a missing key.
func (x *call) make(key string, k kind) (*Entry, error) {
	e, err := x.getKind(key, k)
	if e == nil && err == nil {
		e = x.fresh(key, k)
	}
	return e, err
}

// fresh replaces or adds a key, with no value.
func (x *call) fresh(key string, k kind) *Entry {
	x.s.Uses++
	e := &Entry{DB: x.c.DB, Key: kernel.Text(key), Kind: k, Used: x.s.Uses}
	i, ok := x.s.find(x.c.DB, key)
	if x.changed = true; ok {
		x.s.Entries[i] = e
	} else {
		x.s.Entries = slices.Insert(x.s.Entries, i, e)
	}
	return e
}

// remove removes a key, and reports whether it existed.
func (x *call) remove(key string) bool {
	if x.get(key) == nil {
		return false
	}
	i, _ := x.s.find(x.c.DB, key)
	x.s.Entries, x.changed = slices.Delete(x.s.Entries, i, i+1), true
	return true
}

// shrunk removes an entry that has lost its last item.
func (x *call) shrunk(e *Entry) {
	if x.changed = true; len(e.Items) == 0 {
		x.remove(string(e.Key))
	}
}

// keys returns the keys of the session's database, in order.
func (x *call) keys() (all []string) {
	x.expire()
	x.spend(len(x.s.Entries))
	for _, e := range x.s.Entries {
		if e.DB == x.c.DB {
			all = append(all, string(e.Key))
		}
	}
	return all
}

// expire removes expired entries.
func (x *call) expire() {
	x.s.Entries = slices.DeleteFunc(x.s.Entries, func(e *Entry) bool { return e.Expires != 0 && e.Expires <= x.now })
}

// used returns the bytes in use.
func (s *Server) used() (n int) {
	for _, e := range s.Entries {
		n += e.size()
	}
	return n
}

// limit returns the most bytes of the data.
func (s *Server) limit() int {
	if n := s.Maxmemory(); n > 0 && n < maxData {
		return int(n)
	}
	return maxData
}

// Maxmemory returns that setting, in bytes; 0 if it is not set.
func (s *Server) Maxmemory() int64 {
	n, _ := strconv.ParseInt(s.setting("maxmemory"), 10, 64) // Set has checked it
	return n
}

// makeRoom reports whether a command that adds at most that many bytes may run. With a policy that
// evicts keys, it evicts the least recently used ones, down to nine tenths of the limit.
//
// Differs: every allkeys policy evicts the least recently used keys, and the volatile policies
// evict none.
func (s *Server) makeRoom(bytes int) bool {
	if s.room < bytes {
		s.room = s.limit() - s.used()
		if s.room < bytes && s.drops() && bytes < s.limit() {
			s.evict(bytes)
		}
	}
	if s.room < bytes {
		return false
	}
	s.room -= bytes
	return true
}

// drops reports whether keys are evicted if there is no room.
func (s *Server) drops() bool { return strings.HasPrefix(s.setting("maxmemory-policy"), "allkeys") }

// evict removes keys until there is room for the bytes and for a tenth of the limit.
func (s *Server) evict(bytes int) {
	used, want := s.used(), max(s.limit()*9/10-bytes, 0)
	oldest := slices.Clone(s.Entries)
	slices.SortFunc(oldest, func(a, b *Entry) int { return cmp.Compare(a.Used, b.Used) })
	gone := map[*Entry]bool{}
	for _, e := range oldest {
		if used <= want {
			break
		}
		used -= e.size()
		gone[e] = true
	}
	s.Entries = slices.DeleteFunc(s.Entries, func(e *Entry) bool { return gone[e] })
	s.room = s.limit() - used
}

// Size returns the size of the data, in bytes.
func (s *Server) Size() int { return s.used() }

// dump is the content of a dump file.
type dump struct {
	Entries []*Entry
}

// Dump writes the data as a file.
func (s *Server) Dump() ([]byte, error) {
	text, err := json.Marshal(dump{s.Entries})
	return append([]byte(header+"\n"), text...), err
}

// header begins the file of a Redis.
const header = "REDIS0011"

// errDump means that Dump did not write a file.
var errDump = errors.New("wrong signature trying to load DB from file")

// Load replaces the data with that of a file. If Dump did not write the file, it returns an error
// and changes nothing.
func (s *Server) Load(file []byte) error {
	text, ok := strings.CutPrefix(string(file), header+"\n")
	var d dump
	if !ok {
		return errDump
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		return fmt.Errorf("%w: %w", errDump, err)
	}
	for i, e := range d.Entries {
		switch {
		case e == nil, e.DB < 0 || e.DB >= databases, !e.valid():
			return errDump
		case i > 0 && cmp.Or(cmp.Compare(d.Entries[i-1].DB, e.DB), cmp.Compare(d.Entries[i-1].Key, e.Key)) >= 0:
			return errDump
		}
		s.Uses = max(s.Uses, e.Used)
	}
	s.Entries = d.Entries
	if s.room = s.limit() - s.used(); s.room < 0 {
		s.evict(0)
	}
	return nil
}

// valid reports whether the parts of an entry fit together.
func (e *Entry) valid() bool {
	switch e.Kind {
	case isString:
		return len(e.Items)+len(e.Values)+len(e.Scores) == 0
	case isHash:
		return len(e.Items) > 0 && len(e.Values) == len(e.Items) && len(e.Scores) == 0
	case isSorted:
		return len(e.Items) > 0 && len(e.Scores) == len(e.Items) && len(e.Values) == 0
	case isList, isSet:
		return len(e.Items) > 0 && len(e.Values)+len(e.Scores) == 0
	}
	return false
}

// setting returns the value of a setting.
func (s *Server) setting(name string) string {
	if i := slices.IndexFunc(s.Config, func(c Setting) bool { return c.Name == name }); i >= 0 {
		return s.Config[i].Value
	}
	return defaults[name]
}
