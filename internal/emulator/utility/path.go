package utility

import (
	"path"
	"strings"
)

// Abs returns the absolute form of a path relative to the working directory. The rest of the path
// stays as it is: ".." goes up from the target of a link.
func (c *Call) Abs(p string) string {
	if p == "" || path.IsAbs(p) {
		return p
	}
	if c.Cwd == "/" {
		return "/" + p
	}
	return c.Cwd + "/" + p
}

// LastElement returns the last name in a path.
func LastElement(p string) string {
	p = strings.TrimRight(p, "/")
	return p[strings.LastIndexByte(p, '/')+1:]
}

// Parent returns the part of a path before the last name; "" for none.
func Parent(p string) string {
	p = strings.TrimRight(p, "/")
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return ""
	}
	return strings.TrimRight(p[:i], "/")
}
