package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// waitTimeout bounds waitfor. No story waits for more than a few seconds; the rest is for busy
// machines.
const waitTimeout = 2 * time.Minute

// waitfor PATTERN COMMAND... repeats the command until it succeeds and its standard output matches
// the pattern, in which ^ and $ are the ends of a line. The output of the last run is available to
// stdout, stderr and same.
func waitfor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: waitfor pattern command [args...]")
	}
	pattern, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	for deadline := time.Now().Add(waitTimeout); ; time.Sleep(100 * time.Millisecond) {
		err := ts.Exec(args[1], args[2:]...)
		if err == nil && pattern.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("no match for %q within %v; last: %v", args[0], waitTimeout, err)
		}
	}
}

// same FILE compares the last command's standard output with the file, both in their neutral form.
func same(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: same file")
	}
	if diff := cmp.Diff(lines(neutral(ts.ReadFile(args[0]))), lines(neutral(ts.ReadFile("stdout")))); diff != "" {
		ts.Fatalf("standard output differs (-want +got):\n%s", diff)
	}
}

// capture NAME stores the last command's standard output, without surrounding white space, in the
// variable.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: capture variable")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile("stdout")))
}

// bounds FIELD MIN MAX reads the last command's standard output as the events of a watch and checks
// that the field, such as status.replicas, was never outside the bounds, and that there were events
// at all. An absent field is 0.
func bounds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: bounds field min max")
	}
	low, err := strconv.Atoi(args[1])
	ts.Check(err)
	high, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(within(ts.ReadFile("stdout"), args[0], low, high))
}

func within(stream, field string, low, high int) error {
	events := json.NewDecoder(strings.NewReader(stream))
	var seen []int
	for {
		var event struct{ Object map[string]any }
		if err := events.Decode(&event); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		seen = append(seen, number(event.Object, strings.Split(field, ".")))
		if n := seen[len(seen)-1]; n < low || n > high {
			return fmt.Errorf("%s is %d, outside %d to %d; so far it was %v", field, n, low, high, seen)
		}
	}
	if len(seen) == 0 {
		return fmt.Errorf("no events")
	}
	return nil
}

func number(object map[string]any, path []string) int {
	if len(path) == 1 {
		n, _ := object[path[0]].(float64) // absent is 0
		return int(n)
	}
	below, _ := object[path[0]].(map[string]any)
	return number(below, path[1:])
}

// Kubernetes draws suffixes and hashes from this alphabet, which cannot spell common words.
const alphabet = "[bcdfghjklmnpqrstvwxz2456789]"

// scrubs replace whatever differs from run to run by a neutral form, and leave texts in that form
// unchanged.
var scrubs = []struct {
	pattern *regexp.Regexp
	neutral string
}{
	{regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), "UID"},
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}`), "TIME"},
	{regexp.MustCompile(`(pod-template-hash=)` + alphabet + `{8,10}\b`), "${1}HASH"},
	{regexp.MustCompile(`-` + alphabet + `{8,10}(-|\b)`), "-HASH$1"},
	{regexp.MustCompile(`-` + alphabet + `{5}\b`), "-xxxxx"},
	{regexp.MustCompile(`\b(\d+[dhms])+ \(x(\d+) over (\d+[dhms])+\)`), "AGE (x$2 over AGE)"},
	{regexp.MustCompile(`(?m)(^|  )(\d+[dhms]){1,2}(  |$)`), "${1}AGE$3"},
	{regexp.MustCompile(`\b10\.\d+\.\d+\.\d+\b`), "IP"},
	{regexp.MustCompile(`(\S)  +`), "$1   "},
	{regexp.MustCompile(`(?m)[ \t]+$`), ""},
}

// neutral replaces ages, times, addresses, uids, hashes and generated suffixes, and makes the gaps
// between columns three spaces wide, because the widths of columns follow from what was replaced.
func neutral(text string) string {
	for _, s := range scrubs {
		text = s.pattern.ReplaceAllString(text, s.neutral)
	}
	return text
}

func lines(text string) []string { return strings.Split(strings.TrimRight(text, "\n"), "\n") }

func TestNeutral(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"a table", "NAME    READY   AGE\nweb     3/3     1m5s\n", "NAME   READY   AGE\nweb   3/3   AGE\n"},
		{"a ReplicaSet and its Pod", "nginx-deployment-75675f5897 nginx-deployment-75675f5897-x7k2p",
			"nginx-deployment-HASH nginx-deployment-HASH-xxxxx"},
		{"a hash in a label", "app=nginx,pod-template-hash=7c5ddbdf54", "app=nginx,pod-template-hash=HASH"},
		{"words stay", "frontend my-repset nginx-deployment hello-app php-redis", "frontend my-repset nginx-deployment hello-app php-redis"},
		{"ages of events", "  Normal  Created  3s (x2 over 1m5s)  kubelet", "  Normal   Created   AGE (x2 over AGE)   kubelet"},
		{"images and ports stay", "nginx:1.16.1  80/TCP  2", "nginx:1.16.1   80/TCP   2"},
		{"times and uids", "Fri, 02 Jan 2026 03:04:05 +0000 2026-01-02T03:04:05Z a8f3d00d-c6d2-11e5-9f87-42010af00002", "TIME TIME UID"},
		{"neutral text stays", "nginx-deployment-HASH-xxxxx   AGE", "nginx-deployment-HASH-xxxxx   AGE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := neutral(tt.text); got != tt.want {
				t.Errorf("neutral(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	const stream = `{"type":"MODIFIED","object":{"status":{"replicas":4}}}
{"type":"MODIFIED","object":{"status":{}}}
`
	tests := []struct {
		name, stream string
		low, high    int
		fails        bool
	}{
		{"inside", stream, 0, 4, false},
		{"above", stream, 0, 3, true},
		{"below, as an absent field is 0", stream, 1, 4, true},
		{"no events", "", 0, 4, true},
		{"not a watch", "web 3/3", 0, 4, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := within(tt.stream, "status.replicas", tt.low, tt.high); (err != nil) != tt.fails {
				t.Errorf("within = %v, fails is to be %v", err, tt.fails)
			}
		})
	}
}
