package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"unicode"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/api/apitest"
	"github.com/rowlock/rowlock/internal/object"
)

const acceptYAML = "Accept: application/yaml"

// ofText draws ConfigMaps with text that YAML quotes, folds, indents and escapes in many ways.
func ofText(t *rapid.T) []object.Object {
	// YAML has no control characters; upstream's serializer fails on them too.
	letter := rapid.RuneFrom(nil, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Z)
	text := rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "- a", "a: b", "|\n a\n", "\n\n a\n  b \n", "no", "12e3", "0x10", "~", "# a", "&a *a", "{[", "a\tb", "\ttab\n", "é\u2028\u0085", "\r\n", "'\"\\"}),
		rapid.StringOfN(letter, 0, 400, -1), rapid.Map(rapid.StringMatching(`([ a-z]{1,30}\n?){1,30}`), strings.ToLower),
		rapid.Just(strings.Repeat("word ", 60)), rapid.Just(strings.Repeat("line of text\n", 3000)),
	)
	out := make([]object.Object, rapid.IntRange(0, 30).Draw(t, "objects"))
	for i := range out {
		data := rapid.MapOfN(rapid.StringMatching(`[-._a-zA-Z0-9]{1,20}`), text, 0, 4).Draw(t, "data")
		notes := rapid.MapOfN(rapid.StringOfN(letter, 1, 20, -1), text, 0, 2).Draw(t, "annotations")
		out[i] = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("m%d", i), UID: "u", Annotations: notes}, Data: data}
	}
	return out
}

// Converting a list object by object gives the same bytes as converting it as a whole, in
// YAML and in indented JSON.
func TestList_ObjectByObject(t *testing.T) {
	t.Parallel()
	for seed := range 12 {
		c := apitest.NewCluster(t)
		for _, o := range rapid.Custom(ofText).Example(seed) {
			c.Store(t, o)
		}
		for _, form := range []string{"", ";as=Table;g=meta.k8s.io;v=v1", ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"} {
			for _, query := range []string{"", "?limit=2", "?includeObject=Object"} {
				whole := c.Do(t, "GET "+apitest.ConfigMapsPath+query, "", "Accept: application/json"+form)
				if whole.Code != http.StatusOK {
					t.Fatalf("%s: %d %s", form, whole.Code, whole.Body)
				}
				want, err := yaml.JSONToYAML([]byte(whole.Body))
				if err != nil {
					t.Fatal(err)
				}
				if got := c.Do(t, "GET "+apitest.ConfigMapsPath+query, "", acceptYAML+form); got.Body != string(want) {
					t.Fatalf("%s%s in YAML differs from\n%.2000s\nbut is\n%.2000s", form, query, want, got.Body)
				}
				var indented bytes.Buffer
				if err := json.Indent(&indented, []byte(strings.TrimSuffix(whole.Body, "\n")), "", "  "); err != nil {
					t.Fatal(err)
				}
				if got := c.Do(t, "GET "+apitest.ConfigMapsPath+query, "", "Accept: application/json"+form, "User-Agent: curl"); got.Body != indented.String() {
					t.Fatalf("%s%s for people differs from\n%.2000s\nbut is\n%.2000s", form, query, indented.String(), got.Body)
				}
			}
		}
	}
}

// The number of large YAML lists that clients request and do not read is bounded; further requests
// get 429, and other requests are served.
func TestList_YAMLIsBounded(t *testing.T) {
	t.Parallel()
	c := apitest.NewCluster(t)
	for i := range 2 {
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("big%d", i), UID: types.UID(fmt.Sprint(i))}}
		o.Data = map[string]string{"a": strings.Repeat("x: 'y'\n", 100_000/7)}
		c.Store(t, o)
	}
	list := func(w http.ResponseWriter) {
		req := httptest.NewRequest(http.MethodGet, c.URL+apitest.ConfigMapsPath, nil)
		req.Header.Set("Accept", "application/yaml")
		defer func() {
			p := recover()
			// A server aborts the handler if the client has disconnected.
			if err, ok := p.(error); p != nil && (!ok || !errors.Is(err, http.ErrAbortHandler)) {
				panic(p)
			}
		}()
		c.Handler.ServeHTTP(w, req)
	}
	const stuck, more = 16, 8
	gone := make(chan struct{})
	var held sync.WaitGroup
	for range stuck {
		w := &stuckWriter{ResponseRecorder: httptest.NewRecorder(), begun: make(chan struct{}), gone: gone}
		held.Go(func() { list(w) })
		<-w.begun // the answer has started and is blocked
	}
	var waiting sync.WaitGroup
	answers := make([]*httptest.ResponseRecorder, more)
	for i := range answers {
		answers[i] = httptest.NewRecorder()
		waiting.Go(func() { list(answers[i]) })
	}
	for _, path := range []string{"/livez", apitest.ConfigMapsPath, apitest.ConfigMapsPath + "/big1"} {
		if res := c.Do(t, "GET "+path, ""); res.Code != http.StatusOK {
			t.Errorf("%s: %d %.200s", path, res.Code, res.Body)
		}
	}
	if res := c.Do(t, "GET /api/v1/namespaces/default", "", acceptYAML); res.Code != http.StatusOK {
		t.Errorf("a small object in YAML: %d %.200s", res.Code, res.Body)
	}
	waiting.Wait()
	for _, a := range answers {
		if body := a.Body.String(); a.Code != http.StatusTooManyRequests || !strings.Contains(body, "retryAfterSeconds: 1") {
			t.Errorf("answered %d %.200s; want 429", a.Code, body)
		}
	}
	close(gone)
	held.Wait()
	if res := c.Do(t, "GET "+apitest.ConfigMapsPath+"/big1", "", acceptYAML); res.Code != http.StatusOK {
		t.Errorf("when they have gone: %d %.200s", res.Code, res.Body)
	}
}

// stuckWriter is a client that reads nothing until it disconnects.
type stuckWriter struct {
	*httptest.ResponseRecorder
	once  sync.Once
	begun chan struct{} // closed by the first write
	gone  <-chan struct{}
}

// Write implements http.ResponseWriter.
func (w *stuckWriter) Write([]byte) (int, error) {
	w.once.Do(func() { close(w.begun) })
	<-w.gone
	return 0, io.ErrClosedPipe
}
