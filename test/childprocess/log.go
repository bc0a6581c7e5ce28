package childprocess

import (
	"bytes"
	"strings"
	"sync"
)

// logBytes is how much a Log keeps at least.
const logBytes = 4 << 20

// Log is the output of processes while others read it: its last megabytes. The zero Log is empty.
// It is safe for concurrent use.
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

// String returns everything that is kept.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Tail returns the last n bytes.
func (l *Log) Tail(n int) string {
	s := l.String()
	return s[max(0, len(s)-n):]
}

// Lines returns the lines that contain a text, without surrounding white space.
func (l *Log) Lines(text string) (found []string) {
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// Contains reports whether the log contains a text.
func (l *Log) Contains(text string) bool { return strings.Contains(l.String(), text) }
