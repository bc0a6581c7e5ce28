package system

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// link is a network interface of a Pod, as ip and ifconfig print it.
type link struct {
	index   int
	name    string // "eth0"
	peer    string // "@if2" if the other end is on the node
	flags   string
	mtu     int
	kind    string // "ether"
	address string // the hardware address
	all     string // the hardware broadcast address
	ip      netip.Prefix
	scope   string
}

// links are the Pod's interfaces: the loopback and, once the Pod has an address, one to the node.
// As with Calico, nodes have no subnets: the address stands alone, and all other addresses are
// reached through the node.
func links(c *utility.Call) []link {
	all := []link{{
		index: 1, name: "lo", flags: "LOOPBACK,UP,LOWER_UP", mtu: 65536, kind: "loopback", address: "00:00:00:00:00:00", all: "00:00:00:00:00:00",
		ip: netip.MustParsePrefix("127.0.0.1/8"), scope: "host",
	}}
	ip, err := netip.ParseAddr(c.IP)
	if err != nil || !ip.Is4() {
		return all
	}
	b := ip.As4()
	return append(all, link{
		index: 2, name: "eth0", peer: "@if2", flags: "BROADCAST,MULTICAST,UP,LOWER_UP", mtu: 1500, kind: "ether",
		address: fmt.Sprintf("0a:58:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3]), all: "ff:ff:ff:ff:ff:ff", ip: netip.PrefixFrom(ip, 32), scope: "global",
	})
}

// ip prints the Pod's interfaces, addresses and routes. A container cannot change them.
//
// Source: busybox 1.37 networking/ip.c, libiproute/ipaddress.c and iproute.c
// Source: iproute2 6.1 ip/ip.c, ip/ipaddress.c and ip/iproute.c
func ip(c *utility.Call, _ []byte) int {
	words, oneline, six := c.Args[1:], false, false
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		switch words[0] {
		case "-o", "-oneline":
			oneline = true
		case "-4", "-s", "-d": // no effect: all addresses are IPv4, and nothing is counted
		case "-6":
			six = true
		default:
			c.Fatal(1, "unrecognized option: %s", strings.TrimLeft(words[0], "-"))
		}
		words = words[1:]
	}
	if len(words) == 0 {
		c.Fatal(1, "rowlock: name what to show: addr, link or route")
	}
	object, words := words[0], words[1:]
	command := "show"
	if len(words) > 0 && words[0] != "dev" {
		command, words = words[0], words[1:]
	}
	if slices.Contains([]string{"add", "change", "append", "replace", "del", "delete", "set", "flush"}, command) {
		c.Fatal(2, "RTNETLINK answers: Operation not permitted")
	}
	if command == "lst" || !strings.HasPrefix("show", command) && !strings.HasPrefix("list", command) {
		if len(words) > 0 {
			c.Fatal(1, "rowlock: %s %s is not emulated", object, command)
		}
		words = []string{command} // an interface name
	}
	shown := chosenLinks(c, words)
	switch {
	case strings.HasPrefix("address", object):
		showAddresses(c, shown, oneline, six)
	case strings.HasPrefix("link", object):
		for _, l := range shown {
			showLink(c, l, " mode DEFAULT", oneline)
		}
	case strings.HasPrefix("route", object):
		if !six {
			showRoutes(c, shown)
		}
	default:
		c.Fatal(1, "rowlock: the object %s is not emulated", object)
	}
	return 0
}

// chosenLinks returns the interfaces that the words name, "dev eth0" or "eth0"; all of them without
// words.
func chosenLinks(c *utility.Call, words []string) []link {
	all := links(c)
	if len(words) > 0 && words[0] == "dev" {
		words = words[1:]
		if len(words) == 0 {
			c.Fatal(1, "Command line is not complete. Try option \"help\"")
		}
	}
	switch len(words) {
	case 0:
		return all
	case 1:
		for _, l := range all {
			if l.name == words[0] {
				return []link{l}
			}
		}
		c.Fatal(1, "Device \"%s\" does not exist.", words[0])
	}
	c.Fatal(1, "rowlock: %s is not emulated", strings.Join(words, " "))
	return nil
}

// showLink prints an interface, with its mode where iproute2 prints it.
func showLink(c *utility.Call, l link, mode string, oneline bool) {
	state := ""
	switch {
	case c.GNU && l.name == "lo":
		state = " state UNKNOWN" + mode + " group default"
	case c.GNU:
		state = " state UP" + mode + " group default"
	}
	c.Printf("%d: %s%s: <%s> mtu %d qdisc noqueue%s qlen 1000%s    link/%s %s brd %s\n",
		l.index, l.name, l.peer, l.flags, l.mtu, state, lineEnd(oneline), l.kind, l.address, l.all)
}

// showAddresses prints interfaces with their addresses, or only the addresses, a line each.
func showAddresses(c *utility.Call, links []link, oneline, six bool) {
	for _, l := range links {
		if six {
			continue // interfaces have no IPv6 addresses
		}
		if oneline {
			c.Printf("%d: %s    ", l.index, l.name)
		} else {
			showLink(c, l, "", false)
			c.Print("    ")
		}
		c.Printf("inet %s scope %s %s%s       valid_lft forever preferred_lft forever\n", l.ip, l.scope, l.name, lineEnd(oneline))
	}
}

// lineEnd ends a line, or replaces its end if everything must be on one line.
func lineEnd(oneline bool) string {
	if oneline {
		return `\`
	}
	return "\n"
}

// showRoutes prints the routes of a Pod, which all lead to its node.
func showRoutes(c *utility.Call, links []link) {
	for _, l := range links {
		if l.name != "lo" {
			c.Printf("default via 169.254.1.1 dev %s \n169.254.1.1 dev %s scope link \n", l.name, l.name)
		}
	}
}

// ifconfig prints the Pod's interfaces.
//
// Source: busybox 1.37 networking/ifconfig.c
func ifconfig(c *utility.Call, _ []byte) int {
	words := c.Args[1:]
	if len(words) > 0 && words[0] == "-a" {
		words = words[1:]
	}
	if len(words) > 0 && strings.HasPrefix(words[0], "-") {
		c.Fatal(1, "unrecognized option: %s", strings.TrimLeft(words[0], "-"))
	}
	if len(words) > 1 {
		c.Fatal(1, "SIOCSIFADDR: Operation not permitted")
	}
	found := false
	for _, l := range slices.Backward(links(c)) {
		if len(words) == 1 && l.name != words[0] {
			continue
		}
		found = true
		mask := "255.255.255.255"
		head, running := "Link encap:Ethernet  HWaddr "+strings.ToUpper(l.address)+"  ", "UP BROADCAST RUNNING MULTICAST"
		if l.name == "lo" {
			head, mask, running = "Link encap:Local Loopback  ", "255.0.0.0", "UP LOOPBACK RUNNING"
		}
		c.Printf("%-10s%s\n          inet addr:%s  Mask:%s\n          %s  MTU:%d  Metric:1\n\n", l.name, head, l.ip.Addr(), mask, running, l.mtu)
	}
	if !found {
		c.Fatal(1, "%s: error fetching interface information: Device not found", words[0])
	}
	return 0
}
