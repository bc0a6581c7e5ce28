package text

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// cmpReads: if there is no second file, standard input replaces it.
func cmpReads(args []string) bool {
	return len(utility.OperandsOf(args, "n", []string{"bytes"})) < 2 || utility.IfAsked("n", "bytes")(args)
}

// cmpFiles prints where two files first differ.
func cmpFiles(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{Short: "slbn:", Usage: 2, Long: map[string]byte{"silent": 's', "quiet": 's', "verbose": 'l', "bytes:": 'n'}})
	if len(o.Rest) < 1 || len(o.Rest) > 2 {
		c.Fatal(2, "missing operand")
	}
	names := append(o.Rest, "-")[:2]
	var data [2][]byte
	for i, name := range names {
		var err error
		if data[i], err = c.ReadInput(name, stdin); err != nil {
			if !o.Has('s') {
				c.Complain("%s: %s", name, vfs.Reason(err))
			}
			return 2
		}
		data[i] = limits(c, o, 0, 'n', data[i])
	}
	a, b := data[0], data[1]
	line, differs := 1, false
	c.Step(int64(min(len(a), len(b))) / 16)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			switch {
			case o.Has('s'):
				return 1
			case o.Has('l'):
				differs = true
				c.Printf("%d %3o %3o\n", i+1, a[i], b[i])
				continue
			}
			c.Printf("%s %s differ: char %d, line %d\n", names[0], names[1], i+1, line)
			return 1
		}
		if a[i] == '\n' {
			line++
		}
	}
	if len(a) != len(b) {
		if !o.Has('s') {
			short := names[0]
			if len(b) < len(a) {
				short = names[1]
			}
			if c.GNU {
				c.Complain("EOF on %s after byte %d, line %d", short, min(len(a), len(b)), line)
			} else {
				c.Complain("EOF on %s", short)
			}
		}
		return 1
	}
	return utility.ExitIf(differs)
}

// differ is one run of diff.
type differ struct {
	*utility.Call
	o       *utility.Options
	context int
	unified bool
}

// diff prints how files differ, line by line: in the normal form with coreutils, in the unified one
// with busybox.
func diff(c *utility.Call, stdin []byte) int {
	// -a, -d and -t have no effect: every file is text, and the difference is always the smallest
	// one.
	o := c.Parse(utility.Syntax{Short: "uU:qbwBiraNsd", Usage: 2, Long: map[string]byte{
		"unified::": 'U', "brief": 'q', "ignore-space-change": 'b', "ignore-all-space": 'w', "ignore-case": 'i',
		"recursive": 'r', "text": 'a', "new-file": 'N', "report-identical-files": 's',
	}})
	if len(o.Rest) != 2 {
		c.Fatal(2, "missing operand")
	}
	if o.Has('B') {
		c.Fatal(2, "unrecognized option: B")
	}
	d := &differ{Call: c, o: o, context: 3, unified: !c.GNU || o.Latest("uU") != 0}
	if text, ok := o.Last('U'); ok && text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			c.Fatal(2, "invalid context length '%s'", text)
		}
		d.context = min(n, 1<<20)
	}
	return d.compare(o.Rest[0], o.Rest[1], stdin, 0)
}

func (d *differ) compare(a, b string, stdin []byte, depth int) int {
	x, errX := d.FS.Stat(d.Abs(a))
	y, errY := d.FS.Stat(d.Abs(b))
	switch {
	case a == "-" || b == "-":
	case errX == nil && errY == nil && x.IsDir() && y.IsDir():
		return d.directories(a, b, depth)
	case errX == nil && x.IsDir() && depth == 0:
		a = strings.TrimSuffix(a, "/") + "/" + utility.LastElement(b)
	case errY == nil && y.IsDir() && depth == 0:
		b = strings.TrimSuffix(b, "/") + "/" + utility.LastElement(a)
	}
	left, failedA := d.content(a, stdin)
	right, failedB := d.content(b, stdin)
	if failedA || failedB {
		return 2
	}
	if bytes.Equal(left, right) {
		if d.o.Has('s') {
			d.Printf("Files %s and %s are identical\n", a, b)
		}
		return 0
	}
	if d.o.Has('q') {
		d.Printf("Files %s and %s differ\n", a, b)
		return 1
	}
	if bytes.IndexByte(left, 0) >= 0 || bytes.IndexByte(right, 0) >= 0 {
		d.Printf("Binary files %s and %s differ\n", a, b)
		return 1
	}
	return d.text(a, b, left, right)
}

func (d *differ) content(file string, stdin []byte) ([]byte, bool) {
	data, err := d.ReadInput(file, stdin)
	if err != nil {
		if d.o.Has('N') {
			return nil, false
		}
		d.Complain("%s: %s", file, vfs.Reason(err))
	}
	return data, err != nil
}

func (d *differ) directories(a, b string, depth int) (exit int) {
	names := map[string]int{}
	var order []string
	for i, dir := range []string{a, b} {
		entries, err := d.FS.ReadDir(d.Abs(dir))
		if err != nil {
			d.Complain("%s: %s", dir, vfs.Reason(err))
			return 2
		}
		for _, e := range entries {
			if names[e.Name] == 0 {
				order = append(order, e.Name)
			}
			names[e.Name] |= i + 1
		}
	}
	slices.Sort(order)
	for _, name := range order {
		d.Step(1)
		left, right := strings.TrimSuffix(a, "/")+"/"+name, strings.TrimSuffix(b, "/")+"/"+name
		switch {
		case names[name] != 3 && !d.o.Has('N'):
			dir := a
			if names[name] == 2 {
				dir = b
			}
			d.Printf("Only in %s: %s\n", strings.TrimSuffix(dir, "/"), name)
			exit = max(exit, 1)
			continue
		}
		if i, err := d.FS.Stat(d.Abs(left)); err == nil && i.IsDir() && (!d.o.Has('r') || depth > utility.MaxDepth) {
			if d.GNU {
				d.Printf("Common subdirectories: %s and %s\n", left, right)
			}
			continue
		}
		exit = max(exit, d.compare(left, right, nil, depth+1))
	}
	return exit
}

// edit is a run of lines of the first file, and the run of the second file that replaces it.
type edit struct{ fromA, toA, fromB, toB int }

// text prints how two texts differ.
func (d *differ) text(a, b string, left, right []byte) int {
	x, endedX := splitLines(d.Call, left, '\n')
	y, endedY := splitLines(d.Call, right, '\n')
	edits := d.edits(x, y, endedX, endedY)
	if len(edits) == 0 {
		return 0
	}
	show := func(mark string, lines [][]byte, from, to int, ended bool) {
		for i := from; i < to; i++ {
			d.Print(mark + string(lines[i]) + "\n")
			if i == len(lines)-1 && !ended {
				d.Print("\\ No newline at end of file\n")
			}
		}
	}
	if !d.unified {
		for _, e := range edits {
			d.Print(e.normal() + "\n")
			show("< ", x, e.fromA, e.toA, endedX)
			if e.toA > e.fromA && e.toB > e.fromB {
				d.Print("---\n")
			}
			show("> ", y, e.fromB, e.toB, endedY)
		}
		return 1
	}
	d.Print("--- " + d.label(a) + "\n+++ " + d.label(b) + "\n")
	for len(edits) > 0 {
		n := 1
		for n < len(edits) && edits[n].fromA-edits[n-1].toA <= 2*d.context {
			n++
		}
		hunk := edits[:n]
		edits = edits[n:]
		startA := max(0, hunk[0].fromA-d.context)
		endA := min(len(x), hunk[n-1].toA+d.context)
		startB := hunk[0].fromB - (hunk[0].fromA - startA)
		endB := hunk[n-1].toB + endA - hunk[n-1].toA
		d.Printf("@@ -%s +%s @@\n", hunkRange(startA, endA), hunkRange(startB, endB))
		at := startA
		for _, e := range hunk {
			show(" ", x, at, e.fromA, endedX)
			show("-", x, e.fromA, e.toA, endedX)
			show("+", y, e.fromB, e.toB, endedY)
			at = e.toA
		}
		show(" ", x, at, endA, endedX)
	}
	return 1
}

// label names a file in a unified difference; with coreutils, its time follows.
func (d *differ) label(file string) string {
	if !d.GNU {
		return file
	}
	i, err := d.FS.Stat(d.Abs(file))
	if err != nil {
		i = vfs.Info{MTime: d.Now}
	}
	return file + "\t" + i.MTime.Format("2006-01-02 15:04:05.000000000 -0700")
}

func hunkRange(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return strconv.Itoa(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func (e edit) normal() string {
	span := func(from, to int) string {
		if to-from <= 1 {
			return strconv.Itoa(to)
		}
		return fmt.Sprintf("%d,%d", from+1, to)
	}
	switch {
	case e.fromA == e.toA:
		return fmt.Sprintf("%da%s", e.fromA, span(e.fromB, e.toB))
	case e.fromB == e.toB:
		return fmt.Sprintf("%sd%d", span(e.fromA, e.toA), e.fromB)
	}
	return span(e.fromA, e.toA) + "c" + span(e.fromB, e.toB)
}

// folded returns a line without the parts that do not count.
func (d *differ) folded(line []byte, last, ended bool) string {
	s := string(line)
	switch {
	case d.o.Has('w'):
		s = strings.Join(strings.Fields(s), "")
	case d.o.Has('b'):
		s = strings.Join(strings.Fields(s), " ")
	}
	if d.o.Has('i') {
		s = strings.ToLower(s)
	}
	if last && !ended {
		s += "\x00"
	}
	return s
}

// maxCells bounds the table for finding the longest common subsequence.
const maxCells = 16 << 20

// edits finds a longest common subsequence of lines, and returns the edits between them.
func (d *differ) edits(x, y [][]byte, endedX, endedY bool) (edits []edit) {
	a, b := make([]int, len(x)), make([]int, len(y)) // equal lines have equal numbers
	numbers := map[string]int{}
	number := func(line string) int {
		d.Step(4 + int64(len(line))/8)
		n, known := numbers[line]
		if !known {
			n = len(numbers)
			numbers[line] = n
		}
		return n
	}
	for i, line := range x {
		a[i] = number(d.folded(line, i == len(x)-1, endedX))
	}
	for i, line := range y {
		b[i] = number(d.folded(line, i == len(y)-1, endedY))
	}
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	endA, endB := len(a), len(b)
	for endA > start && endB > start && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	rows, columns := endA-start, endB-start
	if (rows+1)*(columns+1) > maxCells {
		d.Fatal(2, "files too different")
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int32, rows+1)
	for i := range common {
		common[i] = make([]int32, columns+1)
	}
	for i := rows - 1; i >= 0; i-- {
		d.Step(1 + int64(columns)/8)
		for j := columns - 1; j >= 0; j-- {
			if a[start+i] == b[start+j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	add := func(e edit) {
		if n := len(edits); n > 0 && edits[n-1].toA == e.fromA && edits[n-1].toB == e.fromB {
			edits[n-1].toA, edits[n-1].toB = e.toA, e.toB
			return
		}
		edits = append(edits, e)
	}
	for i, j := 0, 0; i < rows || j < columns; {
		switch {
		case i < rows && j < columns && a[start+i] == b[start+j]:
			i, j = i+1, j+1
		case i < rows && (j == columns || common[i+1][j] >= common[i][j+1]):
			add(edit{start + i, start + i + 1, start + j, start + j})
			i++
		default:
			add(edit{start + i, start + i, start + j, start + j + 1})
			j++
		}
	}
	return edits
}
