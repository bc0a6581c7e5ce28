package text

import (
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// tr replaces, deletes or squeezes bytes.
type tr struct {
	Feed utility.Feed `json:"feed"`
	Last int          `json:"last,omitempty"` // the last byte written, plus one

	translate       bool
	to              [256]byte
	delete, squeeze [256]bool
}

// Chunk implements Stream.
func (u *tr) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	o := c.Parse(utility.Syntax{Short: "+cCdst", Long: map[string]byte{
		"complement": 'c', "delete": 'd', "squeeze-repeats": 's', "truncate-set1": 't',
	}})
	deletes, squeezes := o.Has('d'), o.Has('s')
	least, most := 2, 2
	if deletes != squeezes {
		least, most = 1, 1
		if squeezes {
			most = 2
		}
	}
	c.CheckOperands(o, least, most)
	first := trSet(c, o.Rest[0], 0)
	if o.Has('c') || o.Has('C') {
		first = complement(first)
	}
	var second []byte
	if len(o.Rest) > 1 {
		second = trSet(c, o.Rest[1], len(first))
	}
	u.prepare(c, o, first, second)
	return u.Feed.Run(c, []string{"-"}, in, eof, u), 0
}

func (u *tr) prepare(c *utility.Call, o *utility.Options, first, second []byte) {
	u.translate = !o.Has('d') && len(o.Rest) > 1
	for i := range u.to {
		u.to[i] = byte(i)
	}
	switch {
	case o.Has('d'):
		for _, b := range first {
			u.delete[b] = true
		}
	case u.translate:
		if len(second) == 0 {
			if o.Has('t') || len(first) == 0 {
				break
			}
			c.Fatal(1, "when not truncating set1, string2 must be non-empty")
		}
		for i, b := range first {
			if i >= len(second) && o.Has('t') {
				break
			}
			u.to[b] = second[min(i, len(second)-1)] // if a byte is named twice, the last one counts
		}
	}
	if o.Has('s') {
		squeezed := second
		if len(o.Rest) == 1 {
			squeezed = first
		}
		for _, b := range squeezed {
			u.squeeze[b] = true
		}
	}
}

func (u *tr) Start(*utility.Call, string)                  {}
func (u *tr) Finish(*utility.Call, string) utility.Verdict { return utility.More }
func (u *tr) CannotRead(c *utility.Call, file string, err error) {
	c.Complain("%s: %s", file, vfs.Reason(err))
}

func (u *tr) Take(c *utility.Call, data []byte) utility.Verdict {
	out := make([]byte, 0, len(data))
	for _, b := range data {
		if u.delete[b] {
			continue
		}
		if b = u.to[b]; u.squeeze[b] && u.Last == int(b)+1 {
			continue
		}
		u.Last = int(b) + 1
		out = append(out, b)
	}
	c.Put(c.Stdout, out)
	return utility.More
}

func complement(set []byte) (rest []byte) {
	var in [256]bool
	for _, b := range set {
		in[b] = true
	}
	for i := range 256 {
		if !in[i] {
			rest = append(rest, byte(i))
		}
	}
	return rest
}

// trSet parses a set: ranges, classes, escapes, [x*n]. length is that of the first set, to which
// [x*] fills up.
func trSet(c *utility.Call, text string, length int) (set []byte) {
	for i := 0; i < len(text); {
		if name, _, closed := strings.Cut(strings.TrimPrefix(text[i:], "[:"), ":]"); closed && strings.HasPrefix(text[i:], "[:") {
			before := len(set)
			for b := range 256 {
				if pattern.InClass(name, byte(b)) {
					set = append(set, byte(b))
				}
			}
			if len(set) == before {
				c.Fatal(1, "invalid character class '%s'", name)
			}
			i += len(name) + 4
			continue
		}
		if strings.HasPrefix(text[i:], "[=") && len(text) >= i+5 && text[i+3:i+5] == "=]" {
			set = append(set, text[i+2])
			i += 5
			continue
		}
		if b, count, size, ok := repetition(text[i:]); ok && length > 0 {
			if count == 0 {
				count = max(0, length-len(set))
			}
			for range min(count, 1<<16) {
				set = append(set, b)
			}
			i += size
			continue
		}
		low, size := trByte(text[i:])
		i += size
		if i+1 < len(text) && text[i] == '-' {
			high, size := trByte(text[i+1:])
			if high < low {
				c.Fatal(1, "range-endpoints of '%c-%c' are in reverse collating sequence order", low, high)
			}
			for b := int(low); b <= int(high); b++ {
				set = append(set, byte(b))
			}
			i += 1 + size
			continue
		}
		set = append(set, low)
	}
	return set
}

// repetition parses [x*n].
func repetition(text string) (b byte, count, size int, ok bool) {
	if len(text) < 4 || text[0] != '[' {
		return 0, 0, 0, false
	}
	b, n := trByte(text[1:])
	end := strings.IndexByte(text, ']')
	if 1+n >= len(text) || text[1+n] != '*' || end < 2+n {
		return 0, 0, 0, false
	}
	digits := text[2+n : end]
	base := 10
	if strings.HasPrefix(digits, "0") {
		base = 8
	}
	if digits != "" {
		v, err := strconv.ParseInt(digits, base, 32)
		if err != nil {
			return 0, 0, 0, false
		}
		count = int(v)
	}
	return b, count, end + 1, true
}

// trByte parses one byte of a set.
func trByte(text string) (b byte, size int) {
	if text[0] != '\\' || len(text) == 1 {
		return text[0], 1
	}
	if out, size, _ := utility.Escape(text, false); len(out) == 1 && text[1] != 'x' && text[1] != 'e' {
		return out[0], size
	}
	return text[1], 2
}
