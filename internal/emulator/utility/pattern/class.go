package pattern

// InClass reports whether a byte is in a class of the C locale.
func InClass(name string, b byte) bool {
	lower, upper, digit := b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9'
	graph := b > ' ' && b < 0x7f
	switch name {
	case "alpha":
		return lower || upper
	case "digit":
		return digit
	case "alnum":
		return lower || upper || digit
	case "lower":
		return lower
	case "upper":
		return upper
	case "space":
		return b == ' ' || b >= '\t' && b <= '\r'
	case "blank":
		return b == ' ' || b == '\t'
	case "punct":
		return graph && !lower && !upper && !digit
	case "graph":
		return graph
	case "print":
		return graph || b == ' '
	case "cntrl":
		return b < ' ' || b == 0x7f
	case "xdigit":
		return digit || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	}
	return false
}
