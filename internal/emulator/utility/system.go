package utility

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

var systemUtilities = map[string]Utility{
	"hostname": {whole: hostname}, "id": {whole: id}, "whoami": {whole: whoami}, "groups": {whole: groups}, "logname": {whole: whoami},
	"uname": {whole: uname}, "arch": {whole: arch}, "nproc": {whole: nproc}, "uptime": {whole: uptime}, "free": {whole: free},
	"tty": {whole: tty}, "sync": {whole: nothing}, "env": {whole: env}, "printenv": {whole: printenv},
	"sysctl": {whole: sysctl}, "mount": {whole: mount}, "ip": {whole: ip}, "ifconfig": {whole: ifconfig},
}

// The emulated node.
const (
	kernelRelease = "6.12.0-rowlock"
	kernelVersion = "#1 SMP PREEMPT_DYNAMIC"
	nodeCPUs      = 64
	nodeMemoryKiB = 256 << 20
)

func nothing(c *Call, _ []byte) int {
	c.parse(syntax{short: "df"}) // no effect: writes are immediate
	return 0
}

// hostname prints the name of the Pod.
func hostname(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "fsidI", long: map[string]byte{"fqdn": 'f', "long": 'f', "short": 's', "ip-address": 'i', "domain": 'd', "all-ip-addresses": 'I'}})
	if len(o.rest) > 0 {
		c.fatal(1, "sethostname: Operation not permitted")
	}
	short, domain, _ := strings.Cut(c.Hostname, ".")
	switch o.latest("fsidI") {
	case 's':
		c.print(short + "\n")
	case 'd':
		c.print(domain + "\n")
	case 'i':
		c.print(c.IP + "\n")
	case 'I':
		c.print(c.IP + " \n")
	case 'f':
		c.print(c.fqdn() + "\n")
	default:
		c.print(c.Hostname + "\n")
	}
	return 0
}

// fqdn returns the full name of the host: the first one in /etc/hosts for its address.
func (c *Call) fqdn() string {
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

// id prints the user and its groups.
func id(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "ugGnr", long: map[string]byte{"user": 'u', "group": 'g', "groups": 'G', "name": 'n', "real": 'r'}})
	c.operands(o, 0, 1)
	uid, gid, all := c.UID, c.GID, c.allGroups()
	if len(o.rest) == 1 {
		name := o.rest[0]
		found := false
		for _, fields := range c.records("/etc/passwd") {
			if len(fields) > 3 && (fields[0] == name || fields[2] == name) {
				uid, _ = strconv.Atoi(fields[2])
				gid, _ = strconv.Atoi(fields[3])
				found = true
			}
		}
		if !found {
			if c.GNU {
				c.fatal(1, "'%s': no such user", name)
			}
			c.fatal(1, "unknown user %s", name)
		}
		all = append([]int{gid}, c.memberships(name, gid)...)
	}
	user, group := strconv.Itoa, strconv.Itoa
	if o.has('n') {
		user, group = c.userName, c.groupName
	}
	switch o.latest("ugG") {
	case 'u':
		c.print(user(uid) + "\n")
	case 'g':
		c.print(group(gid) + "\n")
	case 'G':
		var names []string
		for _, g := range all {
			names = append(names, group(g))
		}
		c.print(strings.Join(names, " ") + "\n")
	default:
		if o.has('n') {
			c.fatal(1, "cannot print only names or real IDs in default format")
		}
		var names []string
		for _, g := range all {
			names = append(names, c.withName(g, c.groupName))
		}
		c.printf("uid=%s gid=%s groups=%s\n", c.withName(uid, c.userName), c.withName(gid, c.groupName), strings.Join(names, ","))
	}
	return 0
}

// withName returns an id, followed by its name if it has one.
func (c *Call) withName(id int, name func(int) string) string {
	text := strconv.Itoa(id)
	if n := name(id); n != text {
		return text + "(" + n + ")"
	}
	return text
}

// allGroups returns the groups of the user, the primary one first.
func (c *Call) allGroups() []int {
	all := []int{c.GID}
	for _, g := range c.Groups {
		if !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	return all
}

// memberships returns the groups that have a user as a member, besides the primary one.
func (c *Call) memberships(name string, first int) (all []int) {
	for _, fields := range c.records("/etc/group") {
		if len(fields) > 3 && slices.Contains(strings.Split(fields[3], ","), name) {
			if g, err := strconv.Atoi(fields[2]); err == nil && g != first {
				all = append(all, g)
			}
		}
	}
	return all
}

func whoami(c *Call, _ []byte) int {
	o := c.parse(syntax{})
	c.operands(o, 0, 0)
	name := c.userName(c.UID)
	if name == strconv.Itoa(c.UID) {
		if c.GNU {
			c.fatal(1, "cannot find name for user ID %d", c.UID)
		}
		c.fatal(1, "unknown uid %d", c.UID)
	}
	c.print(name + "\n")
	return 0
}

func groups(c *Call, _ []byte) int {
	o := c.parse(syntax{})
	c.operands(o, 0, 0)
	var names []string
	for _, g := range c.allGroups() {
		names = append(names, c.groupName(g))
	}
	c.print(strings.Join(names, " ") + "\n")
	return 0
}

// uname prints the properties of the emulated node.
func uname(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "asnrvmpio", long: map[string]byte{
		"all": 'a', "kernel-name": 's', "nodename": 'n', "kernel-release": 'r', "kernel-version": 'v', "machine": 'm', "processor": 'p', "hardware-platform": 'i', "operating-system": 'o',
	}})
	c.operands(o, 0, 0)
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
		if o.has(f.letter) || o.has('a') && !unknown || len(o.given) == 0 && f.letter == 's' {
			words = append(words, f.text)
		}
	}
	c.print(strings.Join(words, " ") + "\n")
	return 0
}

func arch(c *Call, _ []byte) int {
	c.operands(c.parse(syntax{}), 0, 0)
	c.print("x86_64\n")
	return 0
}

func nproc(c *Call, _ []byte) int {
	o := c.parse(syntax{long: map[string]byte{"all": 'a', "ignore:": 'i'}})
	n := nodeCPUs
	if text, ok := o.last('i'); ok {
		less, err := strconv.Atoi(text)
		if err != nil || less < 0 {
			c.fatal(1, "invalid number '%s'", text)
		}
		n = max(1, n-less)
	}
	c.printf("%d\n", n)
	return 0
}

// uptime prints how long the node has been up. No user is logged in, and the emulated load is 0.
func uptime(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "sp", long: map[string]byte{"since": 's', "pretty": 'p'}})
	up := max(0, c.Now.Sub(c.Started))
	days, hours, minutes := int(up/(24*time.Hour)), int(up/time.Hour)%24, int(up/time.Minute)%60
	switch o.latest("sp") {
	case 's':
		c.print(c.Started.UTC().Format("2006-01-02 15:04:05") + "\n")
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
		c.print("up " + strings.Join(words, ", ") + "\n")
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
	c.print(b.String() + ",  0 users,  load average: 0.00, 0.00, 0.00\n")
	return 0
}

// free prints the memory of the emulated node, all of it free.
func free(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "bkmgh", long: map[string]byte{"bytes": 'b', "kibi": 'k', "mebi": 'm', "gibi": 'g', "human": 'h'}})
	show := func(kib int64) string {
		switch o.latest("bkmgh") {
		case 'b':
			return strconv.FormatInt(kib*1024, 10)
		case 'm':
			return strconv.FormatInt(kib>>10, 10)
		case 'g':
			return strconv.FormatInt(kib>>20, 10)
		case 'h':
			return human(kib * 1024)
		}
		return strconv.FormatInt(kib, 10)
	}
	c.printf("%-8s%11s %11s %11s %11s %11s %11s\n", "", "total", "used", "free", "shared", "buff/cache", "available")
	all := show(nodeMemoryKiB)
	c.printf("%-8s%11s %11s %11s %11s %11s %11s\n", "Mem:", all, "0", all, "0", "0", all)
	c.printf("%-8s%11s %11s %11s\n", "Swap:", "0", "0", "0")
	return 0
}

func tty(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "s", long: map[string]byte{"silent": 's', "quiet": 's'}, usage: 2})
	name, code := "not a tty", 1
	if c.isTerminal("0") {
		name, code = "/dev/pts/0", 0
	}
	if !o.has('s') {
		c.print(name + "\n")
	}
	return code
}

// env prints the environment, by name. Running a program in another environment is up to the
// package program.
func env(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "+i0u:", usage: 125, long: map[string]byte{"ignore-environment": 'i', "null": '0', "unset:": 'u'}})
	vars := maps.Clone(c.Env)
	if o.has('i') {
		vars = map[string]string{}
	}
	for _, name := range o.all('u') {
		delete(vars, name)
	}
	for i, word := range o.rest {
		name, value, assigns := strings.Cut(word, "=")
		if word == "-" && i == 0 {
			clear(vars)
			continue
		}
		if !assigns {
			c.fatal(125, "%s: cannot run programs from here", word)
		}
		if vars == nil {
			vars = map[string]string{}
		}
		vars[name] = value
	}
	end := "\n"
	if o.has('0') {
		end = "\x00"
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		c.print(name + "=" + vars[name] + end)
	}
	return 0
}

// printenv prints the values of variables, or the whole environment.
func printenv(c *Call, _ []byte) int {
	o := c.parse(syntax{short: "+0", usage: 2, long: map[string]byte{"null": '0'}})
	end := "\n"
	if o.has('0') {
		end = "\x00"
	}
	if len(o.rest) == 0 {
		for _, name := range slices.Sorted(maps.Keys(c.Env)) {
			c.print(name + "=" + c.Env[name] + end)
		}
		return 0
	}
	missing := false
	for _, name := range o.rest {
		value, known := c.Env[name]
		if missing = missing || !known; known {
			c.print(value + end)
		}
	}
	return exitIf(missing)
}
