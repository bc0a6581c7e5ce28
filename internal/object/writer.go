package object

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer is the author of a version: a client, by its user, its User-Agent and the id of its
// request, or a controller, by its name.
type Writer struct {
	User       string // empty on a server without a login
	UserAgent  string
	Request    string // as in the server's log; empty in versions from before it was recorded
	Controller string // as in replicaset-controller; empty for a client
}

const (
	// writerSeparator separates user, User-Agent and request in the text of a client's writer. None
	// of these contains it, nor does the name of a controller.
	writerSeparator = "\x1f"
	// maxWriterBytes is how much of a user's name, and of a User-Agent, the log keeps.
	maxWriterBytes = 256
)

// Text returns the writer as the log has it: a controller's name, or a client's user, User-Agent
// and request with separators between. It keeps only the printable part of what clients say about
// themselves, up to a length.
func (w Writer) Text() string {
	if w.Controller != "" {
		return w.Controller
	}
	text := plainText(w.User) + writerSeparator + plainText(w.UserAgent)
	if request := plainText(w.Request); request != "" {
		text += writerSeparator + request
	}
	return text
}

// ParseWriter parses the writer of a version from the log. cause is that of the version: 0 means a
// client, and a client without a separator is from before users were recorded.
func ParseWriter(text string, cause Revision) Writer {
	user, rest, client := strings.Cut(text, writerSeparator)
	switch {
	case client:
		agent, request, _ := strings.Cut(rest, writerSeparator)
		return Writer{User: user, UserAgent: agent, Request: request}
	case cause == 0:
		return Writer{UserAgent: text}
	}
	return Writer{Controller: text}
}

// IsWriterText reports whether Text may have returned a text, except for its length: printable,
// with at most two separators.
func IsWriterText(text string) bool {
	parts := strings.Split(text, writerSeparator)
	return len(parts) <= 3 && isPrintable(strings.Join(parts, ""))
}

func isPrintable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// plainText returns the printable part of a text, cut if it is too long.
func plainText(s string) string {
	if len(s) <= maxWriterBytes && isPlain(s) {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "") {
		if !unicode.IsPrint(r) {
			continue
		}
		if b.Len()+len(string(r)) > maxWriterBytes {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isPlain reports whether a text is printable ASCII, as most are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
