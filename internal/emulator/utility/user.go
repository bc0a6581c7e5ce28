package utility

import (
	"strconv"
	"strings"
)

// UserName returns the name of a user in the container's /etc/passwd, or the number.
func (c *Call) UserName(uid int) string { return c.named("/etc/passwd", uid) }

// GroupName returns the name of a group in the container's /etc/group, or the number.
func (c *Call) GroupName(gid int) string { return c.named("/etc/group", gid) }

func (c *Call) named(file string, id int) string {
	text := strconv.Itoa(id)
	for _, fields := range c.Records(file) {
		if len(fields) > 2 && fields[2] == text {
			return fields[0]
		}
	}
	return text
}

// LookupID returns the id of a user or a group, given as a name or a number.
func (c *Call) LookupID(file, name string) (id int, ok bool) {
	for _, fields := range c.Records(file) {
		if len(fields) > 2 && fields[0] == name {
			id, err := strconv.Atoi(fields[2])
			return id, err == nil
		}
	}
	id, err := strconv.Atoi(name)
	return id, err == nil && id >= 0
}

// Records returns the lines of a file like /etc/passwd, split at the colons.
func (c *Call) Records(file string) (records [][]string) {
	text, err := c.FS.ReadFile(file)
	if err != nil {
		return nil
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		records = append(records, strings.Split(line, ":"))
	}
	return records
}
