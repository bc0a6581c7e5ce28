package object_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/object"
)

// TestIsWriterText: it accepts what the log contains, and rejects terminal control characters.
func TestIsWriterText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "replicaset-controller": true, "ann\x1fkubectl/v1.36": true, "\x1f": true, "日本 ann\x1f": true,
		"ann\x1fkubectl/v1.36\x1fdeadbeef": true, "a\x1fb\x1fc\x1fd": false, "a\x1b[2J": false, "a\nb": false, "a\x7f": false, "a\xff": false, "a\u202eb": false,
	} {
		if got := object.IsWriterText(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWriter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		cause object.Revision
		want  object.Writer
	}{
		"a user":                               {"ann\x1fkubectl/v1.36", 0, object.Writer{User: "ann", UserAgent: "kubectl/v1.36"}},
		"a client of a server without a login": {"\x1fkubectl/v1.36", 0, object.Writer{UserAgent: "kubectl/v1.36"}},
		"a user's request":                     {"ann\x1fkubectl/v1.36\x1fbeef", 0, object.Writer{User: "ann", UserAgent: "kubectl/v1.36", Request: "beef"}},
		"a client that does not say its name":  {"\x1f", 0, object.Writer{}},
		"a client, before users were recorded": {"kubectl/v1.36", 0, object.Writer{UserAgent: "kubectl/v1.36"}},
		"a controller":                         {"replicaset-controller", 7, object.Writer{Controller: "replicaset-controller"}},
		"a controller that nobody woke":        {"event-expiry", object.NoRequest, object.Writer{Controller: "event-expiry"}},
		"who calls itself a controller":        {"\x1freplicaset-controller", 0, object.Writer{UserAgent: "replicaset-controller"}},
	} {
		if got := object.ParseWriter(c.text, c.cause); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestWriter_ReadsBack: what is written parses back, whatever clients call themselves; and it is a
// text of bounded size that a database accepts.
func TestWriter_ReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		user := string(rapid.SliceOfN(rapid.Byte(), 0, 600).Draw(t, "user"))
		agent := rapid.String().Draw(t, "agent")
		request := rapid.String().Draw(t, "request")
		text := object.Writer{User: user, UserAgent: agent, Request: request}.Text()
		switch {
		case !object.IsWriterText(text), !utf8.ValidString(text), strings.Contains(text, "\x00"), len(text) > 770:
			t.Fatalf("%q cannot be stored", text)
		}
		w := object.ParseWriter(text, 0)
		if again := w.Text(); again != text || w.Controller != "" {
			t.Fatalf("%q reads as %+v, and that writes %q", text, w, again)
		}
	})
}

func TestWriter_KeepsWhatIsText(t *testing.T) {
	t.Parallel()
	w := object.Writer{User: "zoë\x1f\x00\xff", UserAgent: strings.Repeat("é", 200)}
	want := object.Writer{User: "zoë", UserAgent: strings.Repeat("é", 128)}
	if got := object.ParseWriter(w.Text(), 0); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
