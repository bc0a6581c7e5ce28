package redis

import (
	"cmp"
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

	databases   = 16
	maxReplicas = 16
)

// find returns the index of a key in Entries, or where it belongs.
func (s *Server) find(db int, key string) (int, bool) {
	return slices.BinarySearchFunc(s.Entries, Entry{DB: db, Key: kernel.Text(key)}, func(e *Entry, t Entry) int {
		return cmp.Or(cmp.Compare(e.DB, t.DB), cmp.Compare(e.Key, t.Key))
	})
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

// setting returns the value of a setting.
func (s *Server) setting(name string) string {
	if i := slices.IndexFunc(s.Config, func(c Setting) bool { return c.Name == name }); i >= 0 {
		return s.Config[i].Value
	}
	return defaults[name]
}

// defaults are the readable settings with their default values.
//
// Source: redis 7.4 redis.conf
var defaults = map[string]string{
	"appendonly": "no", "bind": "* -::*", "databases": "16", "dbfilename": "dump.rdb", "dir": "/data", "hz": "10", "loglevel": "notice", "logfile": "",
	"masterauth": "", "maxclients": "10000", "maxmemory": "0", "maxmemory-policy": "noeviction", "maxmemory-samples": "5", "port": "6379", "protected-mode": "no",
	"replica-read-only": "yes", "replica-serve-stale-data": "yes", "requirepass": "", "save": "3600 1 300 100 60 10000", "tcp-keepalive": "300", "timeout": "0",
	"appendfsync": "everysec", "daemonize": "no", "notify-keyspace-events": "", "tcp-backlog": "511", "lazyfree-lazy-eviction": "no", "version": "7.4.1",
}
