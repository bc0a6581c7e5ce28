package regex

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Bill counts work as it is done: one unit is at most about 60 ns of CPU time. It may panic to stop
// the work; the Regex stays usable.
type Bill func(units int64)

// program is what a machine executes.
type program struct {
	prog     *syntax.Prog
	prefix   string // every match begins with it
	anchored bool   // a match can only begin at the start of the text
}

// thread is a point that the program has reached, with its groups.
type thread struct {
	pc  uint32
	cap []int
}

// queue is a set of threads in order of preference, with each instruction at most once.
type queue struct {
	at  []uint32 // by instruction: its index in all, if it is there
	all []thread
}

func (q *queue) has(pc uint32) bool {
	i := q.at[pc]
	return int(i) < len(q.all) && q.all[i].pc == pc
}

// machine executes a program.
type machine struct {
	*program
	now, next queue
	slots     int // of each thread
	free      [][]int
	scratch   []int
	blank     []int // groups before any has begun
	found     []int
	matched   bool
	visits    int64 // not billed yet
	bill      Bill
}

// visitsPerUnit is how many visits of an instruction cost one unit, and often how many are billed
// at once.
const (
	visitsPerUnit = 4
	often         = 1 << 12
)

// run finds a match at or after from. With no slots, any match ends the search, and the result is
// just not nil.
func (m *machine) run(bill Bill, text string, from, slots int) []int {
	m.reset(bill, slots)
	prog := m.prog
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	if from == 0 {
		before = -1
	}
	at := from
	here, size := decode(text, at)
	for {
		if len(m.now.all) == 0 {
			if m.matched || m.anchored && at > 0 {
				break
			}
			if m.prefix != "" {
				skip := strings.Index(text[at:], m.prefix)
				if skip < 0 {
					m.visit(int64(len(text)-at) / 16)
					break
				}
				if m.visit(int64(skip) / 16); skip > 0 {
					at += skip
					before, _ = utf8.DecodeLastRuneInString(text[:at])
					here, size = decode(text, at)
				}
			}
		}
		m.visit(3)
		if !m.matched {
			if slots > 0 {
				copy(m.scratch, m.blank)
				m.scratch[0] = at
			}
			m.add(&m.now, uint32(prog.Start), at, syntax.EmptyOpContext(before, here))
		}
		after, afterSize := rune(-1), 0
		if size > 0 {
			after, afterSize = decode(text, at+size)
		}
		m.step(at, at+size, here, syntax.EmptyOpContext(here, after))
		if size == 0 || slots == 0 && m.matched {
			break
		}
		at += size
		before, here, size = here, after, afterSize
		m.now, m.next = m.next, m.now
		m.next.all = m.next.all[:0]
	}
	m.bill(1 + m.visits/visitsPerUnit)
	m.visits = 0
	if !m.matched {
		return nil
	}
	return append([]int{}, m.found...)
}

func (m *machine) reset(bill Bill, slots int) {
	if m.now.at == nil {
		m.now.at, m.next.at = make([]uint32, len(m.prog.Inst)), make([]uint32, len(m.prog.Inst))
	}
	if m.slots != slots || m.scratch == nil {
		m.slots, m.free = slots, nil
		m.scratch, m.found, m.blank = make([]int, slots), make([]int, slots), make([]int, slots)
		for i := range m.blank {
			m.blank[i] = -1
		}
	}
	m.now.all, m.next.all = m.now.all[:0], m.next.all[:0]
	m.bill, m.matched, m.visits = bill, false, 8
}

func (m *machine) visit(n int64) {
	if m.visits += n; m.visits >= often {
		units := m.visits / visitsPerUnit
		m.visits = 0
		m.bill(units)
	}
}

// decode returns the character at an offset and its length in bytes: -1 and 0 at the end.
func decode(text string, at int) (rune, int) {
	if at >= len(text) {
		return -1, 0
	}
	if b := text[at]; b < utf8.RuneSelf {
		return rune(b), 1
	}
	return utf8.DecodeRuneInString(text[at:])
}

func width(text string) int {
	_, n := decode(text, 0)
	return max(n, 1)
}

// add puts into the queue the threads that an instruction leads to without reading a character.
func (m *machine) add(q *queue, pc uint32, at int, cond syntax.EmptyOp) {
	for {
		m.visit(1)
		if q.has(pc) {
			return
		}
		q.at[pc] = uint32(len(q.all))
		q.all = append(q.all, thread{pc: pc})
		i := &m.prog.Inst[pc]
		switch i.Op {
		case syntax.InstFail:
			return
		case syntax.InstAlt, syntax.InstAltMatch:
			m.add(q, i.Out, at, cond)
			pc = i.Arg
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^cond != 0 {
				return
			}
			pc = i.Out
		case syntax.InstNop:
			pc = i.Out
		case syntax.InstCapture:
			if int(i.Arg) >= m.slots {
				pc = i.Out
				continue
			}
			old := m.scratch[i.Arg]
			m.scratch[i.Arg] = at
			m.add(q, i.Out, at, cond)
			m.scratch[i.Arg] = old
			return
		default:
			if m.slots > 0 {
				q.all[len(q.all)-1].cap = m.copied()
			}
			return
		}
	}
}

// copied returns a copy of the groups.
func (m *machine) copied() []int {
	m.visit(int64(m.slots / 8))
	if n := len(m.free); n > 0 {
		c := m.free[n-1]
		m.free = m.free[:n-1]
		copy(c, m.scratch)
		return c
	}
	return append([]int(nil), m.scratch...)
}

func (m *machine) drop(t *thread) {
	if t.cap != nil {
		m.free = append(m.free, t.cap)
		t.cap = nil
	}
}

// step lets every thread read the character between at and next; cond holds there.
func (m *machine) step(at, next int, char rune, cond syntax.EmptyOp) {
	for j := range m.now.all {
		t := &m.now.all[j]
		m.visit(1)
		if m.matched && len(t.cap) > 0 && m.found[0] < t.cap[0] {
			m.drop(t) // an earlier match has begun and wins
			continue
		}
		i := &m.prog.Inst[t.pc]
		reads := false
		switch i.Op {
		case syntax.InstMatch:
			if m.slots > 0 && (!m.matched || m.found[1] < at) {
				t.cap[1] = at
				copy(m.found, t.cap)
			}
			m.matched = true
		case syntax.InstRune:
			reads = i.MatchRune(char)
		case syntax.InstRune1:
			reads = char == i.Rune[0]
		case syntax.InstRuneAny:
			reads = char >= 0
		case syntax.InstRuneAnyNotNL:
			reads = char >= 0 && char != '\n'
		}
		if reads {
			copy(m.scratch, t.cap)
			m.add(&m.next, i.Out, next, cond)
		}
		m.drop(t)
	}
	m.now.all = m.now.all[:0]
}
