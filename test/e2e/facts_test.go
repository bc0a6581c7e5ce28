package e2e_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// against is the kubeconfig of a Kubernetes cluster to use instead of Rowlock: with -rewrite, its
// answers become the expected ones.
var against = flag.String("against", "", "a kubeconfig: the facts are asked of its cluster, not of Rowlock")

// TestFacts sends the requests of testdata/facts and compares the answers with those of a
// Kubernetes API server 1.36, which were recorded with
//
//	go test ./test/e2e -run TestFacts -against KUBECONFIG -rewrite
//
// A file is a story in one namespace, called ns. Its commands are the verbs post, get, put, delete,
// and the patches apply, json, merge, strategic; "type=…" gives another content type. The first
// line is the path, the rest the body. What must differ is removed from the answers: uids, times,
// what controllers write, and revisions, except whether there is a new one. "show" names the fields
// of an object to print, if not all of them matter; "busy" says that controllers change it
// meanwhile.
func TestFacts(t *testing.T) {
	t.Parallel()
	door := facts(t)
	err := filepath.WalkDir("testdata/facts", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path, "testdata/facts/"), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fact{front: door.at(t), seen: map[string]string{}}
			f.ns = "facts-" + strings.ReplaceAll(name, "_", "-") + "-" + rand.String(5)
			if resp, answer := f.request(http.MethodPost, "/api/v1/namespaces", "application/yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: "+f.ns+"}"); resp.StatusCode != http.StatusCreated {
				t.Fatalf("%s", answer)
			}
			if *against != "" {
				defer f.CoreV1().Namespaces().Delete(t.Context(), f.ns, metav1.DeleteOptions{}) //nolint:errcheck // the recorder's litter
			}
			datadriven.RunTest(t, path, f.ask)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// facts opens the cluster to query. Rowlock's has no workers, so that only requests change it.
func facts(t *testing.T) *front {
	if *against != "" {
		config, err := clientcmd.BuildConfigFromFlags("", *against)
		if err != nil {
			t.Fatal(err)
		}
		return connect(t, config)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	replica, err := cluster.Open(t.Context(), cluster.Config{DatabaseURL: pgtest.NewURL(t), LoopbackGuard: true, Stepped: true, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(replica.Close)
	server := httptest.NewServer(replica.Handler())
	t.Cleanup(server.Close)
	return connect(t, &rest.Config{Host: server.URL, QPS: -1})
}

// fact queries facts in a namespace.
type fact struct {
	*front
	ns   string
	seen map[string]string // the resourceVersion of each object in the last answer
}

var patches = map[string]types.PatchType{
	"apply": types.ApplyYAMLPatchType, "json": types.JSONPatchType, "merge": types.MergePatchType, "strategic": types.StrategicMergePatchType,
}

// ask sends one request and prints the answer.
func (f *fact) ask(t *testing.T, d *datadriven.TestData) string {
	path, body, _ := strings.Cut(d.Input, "\n")
	method, media := strings.ToUpper(d.Cmd), "application/yaml"
	if patch, ok := patches[d.Cmd]; ok {
		method, media = http.MethodPatch, string(patch)
	}
	var show []string
	busy := false
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "show":
			show = arg.Vals
		case "busy":
			busy = true
		case "type":
			media = strings.Join(arg.Vals, ",")
		}
	}
	if body == "" && method != http.MethodPatch {
		media = ""
	}
	body = f.filled(body)
	resp, answer := f.request(method, path, media, body)
	return f.scrub(f.printed(resp, answer, show, busy))
}

// request sends a request and reads the answer.
func (f *fact) request(method, path, media, body string) (*http.Response, []byte) {
	target, err := url.Parse(f.host + strings.ReplaceAll(path, "/namespaces/ns", "/namespaces/"+f.ns))
	if err != nil {
		f.Fatal(err)
	}
	r, err := http.NewRequestWithContext(f.Context(), method, target.String(), strings.NewReader(body))
	if err != nil {
		f.Fatal(err)
	}
	r.Header.Set("User-Agent", "facts/1.0")
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	resp, err := f.http.Do(r)
	if err != nil {
		f.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was read to its end
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		f.Fatal(err)
	}
	return resp, answer
}

// filled returns a body with what the file cannot know: $ns is the namespace, $rv:PATH and
// $uid:PATH are of the object in the last answer.
func (f *fact) filled(body string) string {
	body = strings.ReplaceAll(body, "$ns", f.ns)
	return regexp.MustCompile(`\$(rv|uid):[\w-]+`).ReplaceAllStringFunc(body, func(name string) string { return f.seen[name] })
}

// printed returns an answer in the form of the files.
func (f *fact) printed(resp *http.Response, answer []byte, show []string, busy bool) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d", resp.StatusCode)
	var o unstructured.Unstructured
	if err := json.Unmarshal(answer, &o.Object); err != nil {
		fmt.Fprintf(&b, "\n%s\n", answer)
		return b.String()
	}
	if o.GetKind() == "Status" {
		f.printStatus(&b, answer)
	} else {
		f.printObject(&b, &o, show, busy)
	}
	for _, w := range resp.Header["Warning"] {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}

func (f *fact) printStatus(b *bytes.Buffer, answer []byte) {
	var s metav1.Status
	if err := json.Unmarshal(answer, &s); err != nil {
		f.Fatal(err)
	}
	fmt.Fprintf(b, " %s\n", s.Reason)
	if s.Message != "" {
		fmt.Fprintf(b, "%s\n", s.Message)
	}
	if s.Details == nil {
		return
	}
	if about := strings.TrimSpace(s.Details.Group + " " + s.Details.Kind + " " + s.Details.Name); about != "" {
		fmt.Fprintf(b, "about: %s\n", about)
	}
	slices.SortStableFunc(s.Details.Causes, func(a, b metav1.StatusCause) int {
		if a.Type != metav1.CauseTypeFieldManagerConflict || b.Type != a.Type {
			return 0
		}
		return strings.Compare(a.Field+a.Message, b.Field+b.Message) // upstream returns conflicts in no order
	})
	for _, c := range s.Details.Causes {
		fmt.Fprintf(b, "cause: %s %s: %s\n", c.Type, c.Field, c.Message)
	}
}

// controllers are the managers whose work is not part of the facts.
var controllers = []string{"kube-controller-manager", "kubelet", "kube-scheduler"}

func (f *fact) printObject(b *bytes.Buffer, o *unstructured.Unstructured, show []string, busy bool) {
	rv, uid := "$rv:"+o.GetName(), "$uid:"+o.GetName()
	switch {
	case busy:
		fmt.Fprintln(b)
	case f.seen[uid] != string(o.GetUID()):
		fmt.Fprintln(b, " another object")
	case f.seen[rv] == o.GetResourceVersion():
		fmt.Fprintln(b, " the same version")
	default:
		fmt.Fprintln(b, " another version")
	}
	f.seen[rv], f.seen[uid] = o.GetResourceVersion(), string(o.GetUID())
	managed := o.GetManagedFields()
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields"} {
		unstructured.RemoveNestedField(o.Object, "metadata", field)
	}
	shown := map[string]any{}
	for _, path := range show {
		fields := strings.Split(path, ".")
		if v, ok, _ := unstructured.NestedFieldNoCopy(o.Object, fields...); ok {
			_ = unstructured.SetNestedField(shown, v, fields...)
		}
	}
	if show == nil {
		shown = o.Object
	}
	if len(shown) > 0 {
		text, err := yaml.Marshal(shown)
		if err != nil {
			f.Fatal(err)
		}
		b.Write(text)
	}
	slices.SortFunc(managed, func(a, b metav1.ManagedFieldsEntry) int { // not by time
		return strings.Compare(string(a.Operation)+" "+a.Manager+" "+a.Subresource, string(b.Operation)+" "+b.Manager+" "+b.Subresource)
	})
	for _, m := range managed {
		if slices.Contains(controllers, m.Manager) {
			continue
		}
		sub := m.Subresource
		if sub != "" {
			sub = "/" + sub
		}
		fmt.Fprintf(b, "%s %s%s %s %s\n", m.Manager, m.Operation, sub, m.APIVersion, m.FieldsV1.Raw)
	}
}

// patched matches a whole object in a message; the order of its fields is unspecified.
var patched = regexp.MustCompile(`Invalid value: "\{\\".*\}": `)

// differences matches the difference of two objects in a message, in terms of upstream's internal
// types.
var differences = regexp.MustCompile(`(?s)\n@@ .*?\n *\n`)

var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// scrub removes what differs from run to run.
func (f *fact) scrub(text string) string {
	text = times.ReplaceAllString(text, "TIME")
	text = differences.ReplaceAllString(text, "\n")
	text = patched.ReplaceAllString(text, `Invalid value: the whole object: `)
	for _, name := range slices.Sorted(maps.Keys(f.seen)) {
		if value := f.seen[name]; len(value) > 20 { // a uid
			text = strings.ReplaceAll(text, value, name)
		}
	}
	return strings.ReplaceAll(text, f.ns, "ns")
}
