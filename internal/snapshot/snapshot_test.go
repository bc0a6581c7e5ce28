package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/snapshot"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

const (
	nodeUID = "00000000-0000-4000-8000-000000000001"
	noteUID = "00000000-0000-4000-8000-000000000002"
	lockUID = "00000000-0000-0000-0000-000000000001"
)

func header() snapshot.Header {
	return snapshot.Header{
		Server: "v1.36.6", Contents: snapshot.State, Revision: 20, Time: noon, Committed: noon,
		Clock: snapshot.Clock{Speed: 1, Pace: 1}, Addresses: 512,
	}
}

// records is a state with one record of each kind.
func records() []snapshot.Record {
	return []snapshot.Record{
		{Memory: &snapshot.Memory{UID: noteUID, State: []byte{1, 2, 3}}},
		{Wakeup: &snapshot.Wakeup{Controller: "kubelet", UID: noteUID, Due: &noon, Cause: 3}},
		{Wakeup: &snapshot.Wakeup{Controller: "scheduler", UID: lockUID, Attempt: 2}},
		{File: &snapshot.File{Node: "node-1", Path: "/data/a", Mode: 0o100644, Content: []byte("text")}},
		{Answer: &snapshot.Answer{Caller: noteUID, Number: 4, Callee: nodeUID, At: noon, Due: noon.Add(time.Millisecond), Answer: []byte("{}")}},
		{
			Version: note("node-1", "nodes", "", nodeUID, 3,
				`{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-1","uid":"`+nodeUID+
					`","creationTimestamp":"2026-01-01T12:00:00Z"},"spec":{},`+
					`"status":{"daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"machineID":"","systemUUID":"",`+
					`"bootID":"","kernelVersion":"","osImage":"","containerRuntimeVersion":"","kubeletVersion":"",`+
					`"kubeProxyVersion":"","operatingSystem":"","architecture":""}}}`),
		},
		{Version: note("note", "configmaps", "default", noteUID, 7, body("note", noteUID))},
	}
}

func body(name, uid string) string {
	return `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"default","uid":"` + uid + `","creationTimestamp":"2026-01-01T12:00:00Z"},"data":{"a":"plain"}}`
}

func note(name, resource, namespace, uid string, revision object.Revision, body string) *snapshot.Version {
	return &snapshot.Version{
		Revision: revision, At: noon, Verb: object.Created, Resource: resource, Namespace: namespace, Name: name, UID: types.UID(uid), Writer: "kubectl", Body: []byte(body),
	}
}

func write(t testing.TB, h snapshot.Header, all []snapshot.Record) []byte {
	t.Helper()
	var out bytes.Buffer
	w := snapshot.NewWriter(&out)
	err := w.Begin(h)
	for _, r := range all {
		err = errors.Join(err, w.Put(r))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// memory is a Sink that stores what it is given.
type memory struct {
	header  snapshot.Header
	records []snapshot.Record
}

func (m *memory) Begin(h snapshot.Header) error { m.header = h; return nil }

func (m *memory) Put(r snapshot.Record) error { m.records = append(m.records, r); return nil }

var rules = snapshot.Rules{
	Kinds: builtin.Catalogue(),
	Controllers: map[string]snapshot.Controller{
		"kubelet":   {Syncs: func(resource string) bool { return resource == "configmaps" }},
		"namespace": {Syncs: func(resource string) bool { return resource == "namespaces" }},
		"scheduler": {Syncs: func(string) bool { return false }, Lock: lockUID},
	},
	Memories: map[string]func([]byte) error{"configmaps": func(memory []byte) error {
		if string(memory) == "bad" {
			return errors.New("it is bad")
		}
		return nil
	}},
}

func read(file []byte) (*memory, error) {
	r, err := snapshot.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	m := &memory{}
	return m, snapshot.Copy(snapshot.NewChecker(rules, m), r)
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	got, err := read(write(t, header(), records()))
	if err != nil {
		t.Fatal(err)
	}
	want := header()
	want.Rowlock, want.Format = "snapshot", snapshot.Format
	if diff := cmp.Diff(want, got.header); diff != "" {
		t.Errorf("the header differs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(records(), got.records); diff != "" {
		t.Errorf("the records differ (-want +got):\n%s", diff)
	}
}

// TestReader_RefusesWhatIsDamaged: a file that is truncated anywhere, or has a significant byte
// changed, is refused. Between the blocks of gzip are bits without significance.
func TestReader_RefusesWhatIsDamaged(t *testing.T) {
	t.Parallel()
	file := write(t, header(), records())
	whole, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := range file {
		if _, err := read(file[:n]); !errors.Is(err, snapshot.ErrDamaged) {
			t.Fatalf("cut off after %d of %d bytes: %v", n, len(file), err)
		}
	}
	for n := 10; n < len(file); n++ { // the bytes before say how and when it was compressed
		changed := bytes.Clone(file)
		changed[n] ^= 0x10
		if got, err := read(changed); err == nil {
			if diff := cmp.Diff(whole.records, got.records); diff != "" {
				t.Fatalf("with byte %d changed it is read (-want +got):\n%s", n, diff)
			}
		}
	}
	for name, more := range map[string][]byte{"a byte": {0}, "another file": file} {
		if _, err := read(append(bytes.Clone(file), more...)); !errors.Is(err, snapshot.ErrDamaged) {
			t.Errorf("with %s behind it: %v", name, err)
		}
	}
}

// pack compresses lines, with a matching end.
func pack(lines ...string) []byte {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	text := strings.Join(lines, "\n") + "\n"
	fmt.Fprintf(zip, `%s{"end":{"records":%d,"sha256":"%s"}}`+"\n", text, strings.Count(text, "\n")-1, sum(text))
	_ = zip.Close()
	return out.Bytes()
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

const begin = `{"rowlock":"snapshot","format":1,"contents":"state","revision":20,"time":"2026-01-01T12:00:00Z","committed":"2026-01-01T12:00:00Z","clock":{"speed":1,"pace":1}}`

func TestReader_RefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		file []byte
		want error
	}{
		{"nothing", nil, snapshot.ErrDamaged},
		{"text", []byte("apiVersion: v1\nkind: List\n"), snapshot.ErrDamaged},
		{"no header", pack(`{"version":{}}`), snapshot.ErrDamaged},
		{"a later format", pack(strings.Replace(begin, `"format":1`, `"format":2`, 1)), snapshot.ErrFormat},
		{"a record of two things", pack(begin, `{"memory":{},"wakeup":{}}`), snapshot.ErrDamaged},
		{"a record of nothing", pack(begin, `{}`), snapshot.ErrDamaged},
		{"a record that is no JSON", pack(begin, `{"version":`), snapshot.ErrDamaged},
		{"a record that is nested without end", pack(begin, `{"version":{"body":`+strings.Repeat("[", 1<<20)+`}}`), snapshot.ErrDamaged},
		{"a line without end", pack(begin, `{"memory":{"state":"`+strings.Repeat("A", 30<<20)+`"}}`), snapshot.ErrDamaged},
		{"another kind of contents", pack(strings.Replace(begin, `"state"`, `"all"`, 1)), snapshot.ErrInvalid},
		{"a log", pack(strings.Replace(begin, `"state"`, `"log"`, 1)), snapshot.ErrLog},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if _, err := read(test.file); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// TestChecker_RefusesWhatNoClusterHas: a state that no cluster can have is refused, and the error
// says why.
func TestChecker_RefusesWhatNoClusterHas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(h *snapshot.Header, all *[]snapshot.Record)
		want   string
	}{
		{"no revision", func(h *snapshot.Header, _ *[]snapshot.Record) { h.Revision = 0 }, "revision 0"},
		{"a clock that runs backwards", func(h *snapshot.Header, _ *[]snapshot.Record) { h.Clock.Speed = -1 }, "speed of -1"},
		{"a time that no clock shows", func(h *snapshot.Header, _ *[]snapshot.Record) { h.Time = time.Date(9500, 1, 1, 0, 0, 0, 0, time.UTC) }, "out of order"},
		{"commits in the future", func(h *snapshot.Header, _ *[]snapshot.Record) { h.Committed = noon.Add(time.Hour) }, "out of order"},
		{"two objects of one uid", func(_ *snapshot.Header, all *[]snapshot.Record) {
			*all = append(*all, snapshot.Record{Version: note("other", "configmaps", "default", noteUID, 8, body("other", noteUID))})
		}, "another object has the same uid"},
		{"two objects of one name", func(_ *snapshot.Header, all *[]snapshot.Record) {
			uid := strings.Replace(noteUID, "2", "3", 1)
			*all = append(*all, snapshot.Record{Version: note("note", "configmaps", "default", uid, 8, body("note", uid))})
		}, "configmaps/default/note: another object has the same name"},
		{"two objects of one revision", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.Revision = 3 }, "revision 3 is not after 3"},
		{"a revision after the last", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.Revision = 21 }, "after the snapshot's revision 20"},
		{"a change after the last", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.At = noon.Add(time.Hour) }, "after the last commit"},
		{"a tombstone", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.Verb = object.Deleted }, `the last change was "deleted"`},
		{"a kind that is not served", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.Resource = "dragons.io" }, "dragons.io"},
		{"a namespace where there can be none", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[5].Version.Namespace = "default" }, "cannot have the namespace"},
		{"an invalid uid", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.UID = "x" }, "not a UUID"},
		{"a uid in another form", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.UID = "urn:uuid:" + noteUID }, "not a UUID"},
		{"another object's body", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[6].Version.Body = []byte(body("other", noteUID))
		}, "that of another object"},
		{"another kind's body", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[6].Version.Body = bytes.Replace([]byte(body("note", noteUID)), []byte("ConfigMap"), []byte("Secret"), 1)
		}, "Kind=Secret"},
		{"a writer that clears the screen", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[6].Version.Writer = "eve\x1b[2J"
		}, "is not printable, or has more than three parts"},
		{"a writer with a line of its own", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[6].Version.Writer = "root\x1fkubectl\n7 2026-01-01T00:00:00Z deleted"
		}, "is not printable, or has more than three parts"},
		{"a writer with three separators", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[6].Version.Writer = "a\x1fb\x1fc\x1fd"
		}, "is not printable, or has more than three parts"},
		{"no body", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[6].Version.Body = []byte("null") }, "its body has the kind"},
		{"a bad name", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[6].Version.Name, (*all)[6].Version.Body = "A B", []byte(body("A B", noteUID))
		}, "metadata.name"},
		{"a huge body", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[6].Version.Body = bytes.Replace([]byte(body("note", noteUID)), []byte("plain"), bytes.Repeat([]byte("a"), 5<<20), 1)
		}, "bytes"},
		{"a memory of nothing", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[0].Memory.UID = lockUID }, "does not exist"},
		{"two memories of one", func(_ *snapshot.Header, all *[]snapshot.Record) {
			*all = append([]snapshot.Record{(*all)[0]}, *all...)
		}, "more than one memory"},
		{"a memory that its controller cannot read", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[0].Memory.State = []byte("bad") }, "it is bad"},
		{"a wakeup for another kind", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[1].Wakeup.Controller = "namespace" }, "does not sync objects of its kind"},
		{"a wakeup for the lock of others", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[2].Wakeup.Controller = "namespace" }, "does not exist"},
		{"a wakeup for no controller", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[1].Wakeup.Controller = "dragon" }, `unknown controller "dragon"`},
		{"a wakeup of no object", func(_ *snapshot.Header, all *[]snapshot.Record) {
			(*all)[1].Wakeup.UID = types.UID(strings.Replace(noteUID, "2", "9", 1))
		}, "of object 00000000-0000-4000-8000-000000000009, which does not exist"},
		{"a file of no node", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[3].File.Node = "node-2" }, `node "node-2", which does not exist`},
		{"a file nowhere", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[3].File.Path = "data" }, `the file "data"`},
		{"an answer to nobody", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[4].Answer.Caller = lockUID }, "a call of object"},
		{"two answers to one call", func(_ *snapshot.Header, all *[]snapshot.Record) {
			*all = slices.Insert(*all, 4, (*all)[4])
		}, "exactly one answer"},
		{"an answer that is too large", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[4].Answer.Answer = make([]byte, 5<<20) }, "the answer to call"},
		{"an answer at no time", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[4].Answer.Due = time.Time{} }, "has its answer at"},
		{"records out of order", func(_ *snapshot.Header, all *[]snapshot.Record) { (*all)[0], (*all)[1] = (*all)[1], (*all)[0] }, "out of order"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			h, all := header(), records()
			test.change(&h, &all)
			_, err := read(write(t, h, all))
			if !errors.Is(err, snapshot.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want ErrInvalid with %q", err, test.want)
			}
		})
	}
}

// FuzzReader reads anything: it either fails, or has read a complete valid state.
func FuzzReader(f *testing.F) {
	f.Add(write(f, header(), records()))
	f.Add(pack(begin))
	f.Add(pack(begin, `{"version":{"revision":1,"resource":"configmaps"}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := read(file)
		if err != nil {
			return
		}
		if again, err := read(write(t, got.header, got.records)); err != nil || !cmp.Equal(got, again, cmp.AllowUnexported(memory{})) {
			t.Errorf("what was read does not read back: %v", err)
		}
	})
}

// FuzzChecker checks any lines, in a complete file.
func FuzzChecker(f *testing.F) {
	var text bytes.Buffer
	zip, err := gzip.NewReader(bytes.NewReader(write(f, header(), records())))
	if err != nil {
		f.Fatal(err)
	}
	if _, err := io.Copy(&text, zip); err != nil {
		f.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	f.Add(strings.Join(lines[:len(lines)-2], "\n"))
	f.Add(begin)
	f.Fuzz(func(t *testing.T, lines string) {
		got, err := read(pack(lines))
		if err != nil {
			return
		}
		for _, r := range got.records {
			if r.Version != nil && !bytes.HasPrefix(r.Version.Body, []byte(`{"kind":"`)) {
				t.Errorf("a body passes that is not as it is to be stored: %s", r.Version.Body)
			}
		}
	})
}
