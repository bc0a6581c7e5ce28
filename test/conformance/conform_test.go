package conformance

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/net/websocket"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/rowlocktest"
)

func TestMain(m *testing.M) {
	if os.Getenv(kubeconfig) != "" {
		os.Exit(m.Run()) // client-go keeps TLS connections open
	}
	goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...)
}

// kubeconfig is the variable that names the file of a server to test instead of Rowlock.
const kubeconfig = "ROWLOCK_CONFORM_KUBECONFIG"

var rewrite = flag.Bool("rewrite", false, "record what the server of ROWLOCK_CONFORM_KUBECONFIG answers")

// patience bounds every wait for a server.
const patience = time.Minute

// TestConform compares the answers of Rowlock, or another server, with those in the stories.
func TestConform(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	s := newServer(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			s.tell(t, file)
		})
	}
}

// server is the server to test.
type server struct {
	http      *http.Client
	base      *url.URL
	token     string
	reference bool // it is not Rowlock
}

func newServer(t *testing.T) *server {
	t.Helper()
	file := os.Getenv(kubeconfig)
	if *rewrite && file == "" {
		t.Fatal("what Rowlock answers is not a fact about Kubernetes: -rewrite needs " + kubeconfig)
	}
	config := &rest.Config{}
	if file == "" {
		config = rowlocktest.Start(t)
	} else {
		var err error
		if config, err = clientcmd.BuildConfigFromFlags("", file); err != nil {
			t.Fatal(err)
		}
		config.NextProtos = []string{"http/1.1"}
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	base, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{client, base, config.BearerToken, file != ""}
	if !s.reference {
		s.forget(t)
	}
	return s
}

// forget makes Rowlock treat everything up to now as compacted, as on a server that has run for a
// while.
func (s *server) forget(t *testing.T) {
	t.Helper()
	st := &story{TB: t, server: s}
	for _, next := range []*step{{path: "", body: `{"name":"begun"}`}, {path: "/begun/load", body: `{}`}} {
		next.method, next.path = http.MethodPost, v1.SnapshotsPath+next.path
		if a := st.send(next); a.code >= 300 {
			t.Fatalf("%s: %d %s", next.path, a.code, a.body)
		}
	}
}

// story is a file that is being played.
type story struct {
	testing.TB
	*server
	variables map[string]string
}

// tell sends a file's requests, one after the other.
func (s *server) tell(t *testing.T, file string) {
	text, err := os.ReadFile(file) //nolint:gosec // it is one of ours
	if err != nil {
		t.Fatal(err)
	}
	steps, err := parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	st := &story{t, s, map[string]string{}}
	st.variables["ns"] = fmt.Sprintf("conform-%s-%d", strings.TrimSuffix(filepath.Base(file), ".txt"), time.Now().Unix())
	st.namespace()
	var out strings.Builder
	for _, step := range steps {
		got := st.ask(step)
		want := step.want
		if step.why != "" && !s.reference {
			want = step.differs
		}
		switch diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); {
		case *rewrite:
			step.want = got
		case diff != "":
			t.Errorf("%s:%d: %s %s (-want +got):\n%s", file, step.line, step.method, step.path, diff)
		}
		out.WriteString(step.String())
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// namespace creates the story's namespace, which is deleted with it.
func (st *story) namespace() {
	st.Helper()
	name := st.variables["ns"]
	if a := st.send(&step{method: http.MethodPost, path: "/api/v1/namespaces", body: `{"metadata":{"name":"` + name + `"}}`}); a.code != http.StatusCreated {
		st.Fatalf("the namespace %s: %d %s", name, a.code, a.body)
	}
	st.ask(&step{method: http.MethodGet, path: "/api/v1/namespaces/" + name + "/configmaps/kube-root-ca.crt", await: "200"}) // a controller creates it
	st.Cleanup(func() {
		if st.reference {
			st.send(&step{method: http.MethodDelete, path: "/api/v1/namespaces/" + name})
		}
	})
}

var variable = regexp.MustCompile(`\$\{\w+\}`)

// expand replaces variables in a text by their values.
func (st *story) expand(text string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string {
		value, ok := st.variables[v[2:len(v)-1]]
		if !ok {
			st.Fatalf("nobody has kept %s", v)
		}
		return value
	})
}

// ask sends a step's request and writes down the answer, with the variables that it keeps.
func (st *story) ask(s *step) string {
	st.Helper()
	until := time.Now().Add(patience)
	for {
		a := st.send(s)
		for _, k := range s.keep {
			st.variables[k[0]] = valueAt(a.body, k[1])
		}
		text, digits := a.render(s.show), len("200")
		got := text[:digits] + normalize(text[digits:], st.variables) // a status code may be the same number as a revision
		if s.await == "" || strings.HasPrefix(got, s.await) || time.Now().After(until) {
			return got
		}
		select {
		case <-time.After(20 * time.Millisecond): // retried; this duration decides nothing
		case <-st.Context().Done():
			st.Fatal(st.Context().Err())
		}
	}
}

// send sends a request and reads the answer.
func (st *story) send(s *step) *answer {
	st.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(st.Context()), patience)
	defer cancel()
	body := st.expand(s.body)
	req, err := http.NewRequestWithContext(ctx, s.method, st.base.String(), strings.NewReader(body))
	if err != nil {
		st.Fatal(err)
	}
	req.URL.Opaque = st.expand(s.path) // as written, not as a library would normalize it
	switch {
	case body == "":
	case body[0] == '{' || body[0] == '[':
		req.Header.Set("Content-Type", "application/json")
	default:
		req.Header.Set("Content-Type", "application/yaml")
	}
	for _, h := range s.headers {
		name, value, _ := strings.Cut(st.expand(h), ": ")
		req.Header.Set(name, value)
	}
	if s.method == "WEBSOCKET" {
		if st.token != "" {
			req.Header.Set("Authorization", "Bearer "+st.token)
		}
		return st.dial(ctx, req, s.frames)
	}
	res, err := st.http.Do(req)
	if err != nil {
		st.Fatalf("line %d: %v", s.line, err)
	}
	defer res.Body.Close() //nolint:errcheck // it is only read
	a := &answer{code: res.StatusCode, header: res.Header}
	if a.body, err = readLines(res.Body, s.frames); err != nil {
		st.Errorf("line %d: the answer does not end: %v", s.line, err)
	}
	a.watch = a.code == http.StatusOK && strings.Contains(s.path, "watch") && (len(a.body) == 0 || strings.HasPrefix(string(a.body), `{"type":`))
	return a
}

// readLines reads this many lines, or all if the number is 0.
func readLines(from io.Reader, n int) (read []byte, err error) {
	lines := bufio.NewReader(from)
	for i := 0; n == 0 || i < n; i++ {
		line, err := lines.ReadBytes('\n')
		read = append(read, line...)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return read, err
		}
	}
	return read, nil
}

// dial reads this many messages of a watch through a websocket, or all of them.
func (st *story) dial(ctx context.Context, req *http.Request, n int) *answer {
	st.Helper()
	location := *st.base
	location.Scheme = strings.Replace(location.Scheme, "http", "ws", 1)
	config, err := websocket.NewConfig(location.String(), st.base.String())
	if err != nil {
		st.Fatal(err)
	}
	config.Location.Opaque, config.Header = req.URL.Opaque, req.Header
	conn, err := st.connect(ctx)
	if err != nil {
		st.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // it is only read
	ws, err := websocket.NewClient(config, conn)
	if err != nil {
		return &answer{body: []byte(err.Error()), header: http.Header{}}
	}
	a := &answer{code: http.StatusSwitchingProtocols, header: http.Header{}, watch: true}
	for i := 0; n == 0 || i < n; i++ {
		var message string
		if err := websocket.Message.Receive(ws, &message); err != nil {
			break
		}
		a.body = append(a.body, strings.TrimSpace(message)+"\n"...)
	}
	return a
}

func valueAt(body []byte, path string) string {
	o, err := decode(body)
	if err != nil {
		return ""
	}
	return field(o, path)
}
