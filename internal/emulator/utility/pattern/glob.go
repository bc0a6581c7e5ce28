package pattern

import "strings"

// Glob reports whether a name matches a shell pattern of *, ? and sets. fold ignores case.
func Glob(pattern, name string, fold bool) bool {
	if fold {
		pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	}
	star, mark := -1, 0 // the position of the last star, and how far it reaches
	p, n := 0, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, n
			p++
			continue
		}
		if size, ok := globOne(pattern[min(p, len(pattern)):], name[n]); ok {
			p += size
			n++
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		p, n = star+1, mark
	}
	return strings.Trim(pattern[min(p, len(pattern)):], "*") == ""
}

// globOne reports whether a byte matches the first element of a pattern, and how long that element
// is.
func globOne(pattern string, b byte) (size int, ok bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == b
		}
	case '[':
		if size, ok, closed := globSet(pattern, b); closed {
			return size, ok
		}
	}
	return 1, pattern[0] == b
}

func globSet(pattern string, b byte) (size int, ok, closed bool) {
	i, not := 1, false
	if i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^') {
		not = true
		i++
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, ok != not, true
		}
		if name, _, found := strings.Cut(strings.TrimPrefix(pattern[i:], "[:"), ":]"); found && strings.HasPrefix(pattern[i:], "[:") {
			ok = ok || InClass(name, b)
			i += len(name) + 4
			continue
		}
		low := pattern[i]
		if low == '\\' && i+1 < len(pattern) {
			i++
			low = pattern[i]
		}
		high := low
		if i+2 < len(pattern) && pattern[i+1] == '-' && pattern[i+2] != ']' {
			high = pattern[i+2]
			i += 2
		}
		ok = ok || low <= b && b <= high
		i++
	}
	return 0, false, false
}
