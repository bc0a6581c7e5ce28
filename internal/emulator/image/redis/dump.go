package redis

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

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
