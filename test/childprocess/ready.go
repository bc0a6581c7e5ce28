// Package childprocess reads the output of a running `rowlock serve`: tests, benchmarks and the
// soak start the built binary like its users.
package childprocess

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Ready is what a server prints about itself once it serves.
type Ready struct {
	URL        string // of its API
	Kubeconfig string // the path of a file
}

// AwaitReady reads a server's standard output until its ready line. It continues to read in the
// background until the output ends, so that the server never waits for a reader. A server that ends
// before it is ready, or is not ready when patience is over, is an error.
func AwaitReady(out io.Reader, patience time.Duration) (Ready, error) {
	ready := make(chan Ready, 1)
	go func() {
		defer close(ready)
		said := false
		for scan := bufio.NewScanner(out); scan.Scan(); {
			if r, ok := parseReady(scan.Text()); ok && !said {
				said = true
				ready <- r
			}
		}
	}()
	select {
	case r, ok := <-ready:
		if !ok {
			return Ready{}, errors.New("it ended before it was ready")
		}
		return r, nil
	case <-time.After(patience):
		return Ready{}, fmt.Errorf("it was not ready within %v", patience)
	}
}

// parseReady parses "ready url=… kubeconfig=…".
func parseReady(line string) (Ready, bool) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "ready" {
		return Ready{}, false
	}
	var r Ready
	for _, word := range words[1:] {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "url":
			r.URL = value
		case "kubeconfig":
			r.Kubeconfig = value
		}
	}
	return r, r.URL != ""
}
