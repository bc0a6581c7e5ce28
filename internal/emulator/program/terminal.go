package program

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

func init() {
	kernel.Register("terminal", &Terminal{})
	for _, name := range []string{"stty", "clear", "reset"} {
		kernel.Provide(name, func([]string) kernel.Program { return &Terminal{Name: name} })
	}
}

// Terminal shows and sets the modes of a terminal (stty), and clears its screen.
type Terminal struct{ Name string }

// Step implements kernel.Program.
func (t *Terminal) Step(p *kernel.Process) kernel.Wait {
	switch t.Name {
	case "clear":
		return finish(p, "\x1b[H\x1b[J", 0)
	case "reset":
		if own := p.TerminalAt(0); own != nil {
			own.Reset()
		}
		return finish(p, "\x1bc\x1b(B\x1b[m\x1b[J\x1b[?25h", 0)
	}
	own := p.TerminalAt(0)
	if own == nil {
		if p.GNU() {
			return fail(p, "'standard input': Inappropriate ioctl for device")
		}
		return fail(p, "standard input: Inappropriate ioctl for device")
	}
	args := p.Args[1:]
	switch {
	case len(args) == 0:
		return finish(p, "speed 38400 baud; line = 0;\n"+changed(own), 0)
	case args[0] == "-a" || args[0] == "--all":
		return finish(p, all(own), 0)
	case args[0] == "-g" || args[0] == "--save":
		return finish(p, fmt.Sprintf("500:5:bf:%x:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0\n", localModes&^off(own)), 0)
	}
	return set(p, own, args)
}

// The modes that a terminal may have, as bits of c_lflag, and those that it always has.
// Source: Linux include/uapi/asm-generic/termbits.h
const (
	modeSignals = 0x1
	modeLines   = 0x2
	modeEcho    = 0x8
	localModes  = 0x8a3b
)

// off returns the modes that the terminal does not have.
func off(t *kernel.Terminal) (bits uint64) {
	for bit, is := range map[uint64]bool{modeSignals: t.NoSignals, modeLines: t.NoLines, modeEcho: t.NoEcho} {
		if is {
			bits |= bit
		}
	}
	return bits
}

// changed returns the modes that differ from the default, as stty prints them.
func changed(t *kernel.Terminal) string {
	var names []string
	for _, m := range []struct {
		name string
		off  bool
	}{{"-isig", t.NoSignals}, {"-icanon", t.NoLines}, {"-echo", t.NoEcho}} {
		if m.off {
			names = append(names, m.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, " ") + "\n"
}

// all returns the output of stty -a.
func all(t *kernel.Terminal) string {
	sign := func(off bool, name string) string {
		if off {
			return "-" + name
		}
		return name
	}
	return fmt.Sprintf("speed 38400 baud; rows %d; columns %d; line = 0;\n", t.Rows, t.Cols) +
		"intr = ^C; quit = ^\\; erase = ^?; kill = ^U; eof = ^D; eol = <undef>; eol2 = <undef>; swtch = <undef>; start = ^Q;\n" +
		"stop = ^S; susp = ^Z; rprnt = ^R; werase = ^W; lnext = ^V; discard = ^O; min = 1; time = 0;\n" +
		"-parenb -parodd -cmspar cs8 -hupcl -cstopb cread -clocal -crtscts\n" +
		"-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr icrnl ixon -ixoff -iuclc -ixany -imaxbel -iutf8\n" +
		"opost -olcuc -ocrnl onlcr -onocr -onlret -ofill -ofdel nl0 cr0 tab0 bs0 vt0 ff0\n" +
		sign(t.NoSignals, "isig") + " " + sign(t.NoLines, "icanon") + " iexten " + sign(t.NoEcho, "echo") +
		" echoe echok -echonl -noflsh -xcase -tostop -echoprt echoctl echoke -flusho -extproc\n"
}

// set applies stty's arguments.
func set(p *kernel.Process, t *kernel.Terminal, args []string) kernel.Wait {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		name, on := strings.TrimPrefix(arg, "-"), !strings.HasPrefix(arg, "-")
		switch name {
		case "size":
			return finish(p, fmt.Sprintf("%d %d\n", t.Rows, t.Cols), 0)
		case "echo":
			t.NoEcho = !on
		case "icanon":
			t.NoLines = !on
		case "cbreak":
			t.NoLines = on
		case "isig":
			t.NoSignals = !on
		case "raw":
			t.NoLines, t.NoSignals = on, on
		case "cooked":
			t.NoLines, t.NoSignals = !on, !on
		case "sane":
			t.Reset()
		case "rows", "cols", "columns":
			n, err := strconv.ParseUint(strings.Join(args[:min(len(args), 1)], ""), 10, 16)
			if err != nil {
				return fail(p, "missing argument to '"+name+"'")
			}
			args = args[1:]
			rows, cols := t.Rows, int(n)
			if name == "rows" {
				rows, cols = int(n), t.Cols
			}
			p.ResizeTerminal(0, rows, cols)
		default:
			if f := strings.Split(arg, ":"); len(f) > 4 {
				bits, err := strconv.ParseUint(f[3], 16, 32)
				if err == nil {
					t.NoSignals, t.NoLines, t.NoEcho = bits&modeSignals == 0, bits&modeLines == 0, bits&modeEcho == 0
					continue
				}
			}
			if !harmless(name) {
				return fail(p, "invalid argument '"+arg+"'")
			}
		}
	}
	return kernel.Done(0)
}

// harmless reports whether a mode has no effect here.
func harmless(name string) bool {
	switch name {
	case "iexten", "echoe", "echok", "echonl", "echoctl", "echoke", "ixon", "ixoff", "icrnl", "inlcr", "igncr", "opost", "onlcr", "ocrnl", "istrip",
		"inpck", "brkint", "ignbrk", "parmrk", "parenb", "cs8", "hupcl", "tostop", "iutf8", "min", "time", "0", "1":
		return true
	}
	return false
}
