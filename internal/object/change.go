package object

import (
	"fmt"
	"time"
)

// Verb is what a change did to its object: the letter that the log stores. Its text, in JSON too, is
// the verb's name, and "" for the zero value.
type Verb byte

// The three verbs of the log.
const (
	Created Verb = 'c'
	Updated Verb = 'u'
	Deleted Verb = 'd' // the version is a tombstone: its body is the object's last state
)

// VerbOf returns the verb of a name, and an error for other texts.
func VerbOf(name string) (Verb, error) {
	for _, v := range []Verb{0, Created, Updated, Deleted} {
		if v.String() == name {
			return v, nil
		}
	}
	return 0, fmt.Errorf("unknown verb %q", name)
}

// Letter returns the verb as the log stores it; "" for the zero value.
func (v Verb) Letter() string { return v.String()[:min(1, len(v.String()))] }

func (v Verb) String() string {
	switch v {
	case Created:
		return "created"
	case Updated:
		return "updated"
	case Deleted:
		return "deleted"
	}
	return ""
}

// MarshalText implements encoding.TextMarshaler.
func (v Verb) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It fails for other texts than names of verbs.
func (v *Verb) UnmarshalText(text []byte) (err error) {
	*v, err = VerbOf(string(text))
	return err
}

// Moment is a point in cluster time, in microseconds since 1970: as precise as the database.
type Moment int64

// MomentOf returns the moment of a time.
func MomentOf(t time.Time) Moment { return Moment(t.UnixMicro()) }

// Time returns the moment as a time in UTC.
func (m Moment) Time() time.Time { return time.UnixMicro(int64(m)).UTC() }
