package system

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// id prints the user and its groups.
func id(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{Short: "ugGnr", Long: map[string]byte{"user": 'u', "group": 'g', "groups": 'G', "name": 'n', "real": 'r'}})
	c.CheckOperands(o, 0, 1)
	uid, gid, all := c.UID, c.GID, allGroups(c)
	if len(o.Rest) == 1 {
		name := o.Rest[0]
		found := false
		for _, fields := range c.Records("/etc/passwd") {
			if len(fields) > 3 && (fields[0] == name || fields[2] == name) {
				uid, _ = strconv.Atoi(fields[2])
				gid, _ = strconv.Atoi(fields[3])
				found = true
			}
		}
		if !found {
			if c.GNU {
				c.Fatal(1, "'%s': no such user", name)
			}
			c.Fatal(1, "unknown user %s", name)
		}
		all = append([]int{gid}, memberships(c, name, gid)...)
	}
	user, group := strconv.Itoa, strconv.Itoa
	if o.Has('n') {
		user, group = c.UserName, c.GroupName
	}
	switch o.Latest("ugG") {
	case 'u':
		c.Print(user(uid) + "\n")
	case 'g':
		c.Print(group(gid) + "\n")
	case 'G':
		var names []string
		for _, g := range all {
			names = append(names, group(g))
		}
		c.Print(strings.Join(names, " ") + "\n")
	default:
		if o.Has('n') {
			c.Fatal(1, "cannot print only names or real IDs in default format")
		}
		var names []string
		for _, g := range all {
			names = append(names, withName(c, g, c.GroupName))
		}
		c.Printf("uid=%s gid=%s groups=%s\n", withName(c, uid, c.UserName), withName(c, gid, c.GroupName), strings.Join(names, ","))
	}
	return 0
}

// withName returns an id, followed by its name if it has one.
func withName(c *utility.Call, id int, name func(int) string) string {
	text := strconv.Itoa(id)
	if n := name(id); n != text {
		return text + "(" + n + ")"
	}
	return text
}

// allGroups returns the groups of the user, the primary one first.
func allGroups(c *utility.Call) []int {
	all := []int{c.GID}
	for _, g := range c.Groups {
		if !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	return all
}

// memberships returns the groups that have a user as a member, besides the primary one.
func memberships(c *utility.Call, name string, first int) (all []int) {
	for _, fields := range c.Records("/etc/group") {
		if len(fields) > 3 && slices.Contains(strings.Split(fields[3], ","), name) {
			if g, err := strconv.Atoi(fields[2]); err == nil && g != first {
				all = append(all, g)
			}
		}
	}
	return all
}

func whoami(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{})
	c.CheckOperands(o, 0, 0)
	name := c.UserName(c.UID)
	if name == strconv.Itoa(c.UID) {
		if c.GNU {
			c.Fatal(1, "cannot find name for user ID %d", c.UID)
		}
		c.Fatal(1, "unknown uid %d", c.UID)
	}
	c.Print(name + "\n")
	return 0
}

func groups(c *utility.Call, _ []byte) int {
	o := c.Parse(utility.Syntax{})
	c.CheckOperands(o, 0, 0)
	var names []string
	for _, g := range allGroups(c) {
		names = append(names, c.GroupName(g))
	}
	c.Print(strings.Join(names, " ") + "\n")
	return 0
}
