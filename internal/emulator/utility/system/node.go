package system

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// The emulated node.
const (
	kernelRelease = "6.12.0-rowlock"
	kernelVersion = "#1 SMP PREEMPT_DYNAMIC"
	nodeCPUs      = 64
	nodeMemoryKiB = 256 << 20
)

func nothing(c *utility.Call, _ []byte) int {
	c.Parse(utility.Syntax{Short: "df"}) // no effect: writes are immediate
	return 0
}

// hostname prints the name of the Pod.
func hostname(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "fsidI", Long: map[string]byte{
		"fqdn": 'f', "long": 'f', "short": 's', "ip-address": 'i', "domain": 'd', "all-ip-addresses": 'I',
	}})
	if len(o.Rest) > 0 {
		c.Fatal(1, "sethostname: Operation not permitted")
	}
	short, domain, _ := strings.Cut(c.Hostname, ".")
	switch o.Latest("fsidI") {
	case 's':
		c.Print(short + "\n")
	case 'd':
		c.Print(domain + "\n")
	case 'i':
		c.Print(c.IP + "\n")
	case 'I':
		c.Print(c.IP + " \n")
	case 'f':
		c.Print(fqdn(c) + "\n")
	default:
		c.Print(c.Hostname + "\n")
	}
	return 0
}

// fqdn returns the full name of the host: the first one in /etc/hosts for its address.
func fqdn(c *utility.Call) string {
	text, err := c.FS.ReadFile("/etc/hosts")
	if err == nil {
		for line := range strings.SplitSeq(string(text), "\n") {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == c.IP && c.IP != "" {
				return fields[1]
			}
		}
	}
	return c.Hostname
}

// uname prints the properties of the emulated node.
func uname(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "asnrvmpio", Long: map[string]byte{
		"all": 'a', "kernel-name": 's', "nodename": 'n', "kernel-release": 'r', "kernel-version": 'v', "machine": 'm',
		"processor": 'p', "hardware-platform": 'i', "operating-system": 'o',
	}})
	c.CheckOperands(o, 0, 0)
	system := "Linux"
	if c.GNU {
		system = "GNU/Linux"
	}
	var words []string
	for _, f := range []struct {
		letter byte
		text   string
	}{
		{'s', "Linux"}, {'n', c.Hostname}, {'r', kernelRelease}, {'v', kernelVersion}, {'m', "x86_64"}, {'p', "unknown"}, {'i', "unknown"}, {'o', system},
	} {
		unknown := f.letter == 'p' || f.letter == 'i'
		if o.Has(f.letter) || o.Has('a') && !unknown || len(o.Given) == 0 && f.letter == 's' {
			words = append(words, f.text)
		}
	}
	c.Print(strings.Join(words, " ") + "\n")
	return 0
}

func arch(c *utility.Call, _ []byte) int {
	c.CheckOperands(c.Parse(utility.Syntax{}), 0, 0)
	c.Print("x86_64\n")
	return 0
}

func nproc(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Long: map[string]byte{"all": 'a', "ignore:": 'i'}})
	n := nodeCPUs
	if text, ok := o.Last('i'); ok {
		less, err := strconv.Atoi(text)
		if err != nil || less < 0 {
			c.Fatal(1, "invalid number '%s'", text)
		}
		n = max(1, n-less)
	}
	c.Printf("%d\n", n)
	return 0
}

// uptime prints how long the node has been up. No user is logged in, and the emulated load is 0.
func uptime(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "sp", Long: map[string]byte{"since": 's', "pretty": 'p'}})
	up := max(0, c.Now.Sub(c.Started))
	days, hours, minutes := int(up/(24*time.Hour)), int(up/time.Hour)%24, int(up/time.Minute)%60
	switch o.Latest("sp") {
	case 's':
		c.Print(c.Started.UTC().Format("2006-01-02 15:04:05") + "\n")
		return 0
	case 'p':
		var words []string
		for _, part := range []struct {
			n    int
			unit string
		}{{days, "day"}, {hours, "hour"}, {minutes, "minute"}} {
			if part.n == 1 {
				words = append(words, "1 "+part.unit)
			} else if part.n > 1 {
				words = append(words, fmt.Sprintf("%d %ss", part.n, part.unit))
			}
		}
		c.Print("up " + strings.Join(words, ", ") + "\n")
		return 0
	}
	var b strings.Builder
	fmt.Fprintf(&b, " %s up ", c.Now.Format("15:04:05"))
	switch {
	case days == 1:
		b.WriteString("1 day, ")
	case days > 1:
		fmt.Fprintf(&b, "%d days, ", days)
	}
	if hours > 0 {
		fmt.Fprintf(&b, "%2d:%02d", hours, minutes)
	} else {
		fmt.Fprintf(&b, "%d min", minutes)
	}
	c.Print(b.String() + ",  0 users,  load average: 0.00, 0.00, 0.00\n")
	return 0
}

// free prints the memory of the emulated node, all of it free.
func free(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "bkmgh", Long: map[string]byte{"bytes": 'b', "kibi": 'k', "mebi": 'm', "gibi": 'g', "human": 'h'}})
	show := func(kib int64) string {
		switch o.Latest("bkmgh") {
		case 'b':
			return strconv.FormatInt(kib*1024, 10)
		case 'm':
			return strconv.FormatInt(kib>>10, 10)
		case 'g':
			return strconv.FormatInt(kib>>20, 10)
		case 'h':
			return utility.HumanSize(kib * 1024)
		}
		return strconv.FormatInt(kib, 10)
	}
	c.Printf("%-8s%11s %11s %11s %11s %11s %11s\n", "", "total", "used", "free", "shared", "buff/cache", "available")
	all := show(nodeMemoryKiB)
	c.Printf("%-8s%11s %11s %11s %11s %11s %11s\n", "Mem:", all, "0", all, "0", "0", all)
	c.Printf("%-8s%11s %11s %11s\n", "Swap:", "0", "0", "0")
	return 0
}

func tty(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "s", Long: map[string]byte{"silent": 's', "quiet": 's'}, Usage: 2})
	name, code := "not a tty", 1
	if c.HasTerminal("0") {
		name, code = "/dev/pts/0", 0
	}
	if !o.Has('s') {
		c.Print(name + "\n")
	}
	return code
}
