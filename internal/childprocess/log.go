package childprocess

import (
	"bytes"
	"strings"
	"sync"
)

// logBytes is how much a Log keeps at least.
const logBytes = 4 << 20

// Log is what processes write while others read it: the last megabytes of it. The zero Log is empty. It may be used by several
// goroutines at once.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write never fails.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.b.Len() > 2*logBytes {
		l.b.Next(l.b.Len() - logBytes)
	}
	return l.b.Write(p)
}

// String is all that is kept.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Tail is the last n bytes.
func (l *Log) Tail(n int) string {
	s := l.String()
	return s[max(0, len(s)-n):]
}

// Lines are those that contain a text, without the white space around them.
func (l *Log) Lines(text string) (found []string) {
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// Contains says whether a text is in it.
func (l *Log) Contains(text string) bool { return strings.Contains(l.String(), text) }
