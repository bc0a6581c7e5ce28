package snapshot_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rowlock/rowlock/internal/snapshot"
)

// TestChecker_CustomResources: an object whose definition is not built in is checked by its body.
func TestChecker_CustomResources(t *testing.T) {
	t.Parallel()
	uid := strings.Replace(noteUID, "2", "3", 1)
	widget := func(apiVersion, kind, name string) string {
		return `{"kind":"` + kind + `","apiVersion":"` + apiVersion + `","metadata":{"name":"` + name + `","namespace":"default","uid":"` + uid + `"},"size":1}`
	}
	for _, tt := range []struct{ name, resource, object, body, want string }{
		{"one without a definition", "widgets.example.com", "w", widget("example.com/v1", "Widget", "w"), ""},
		{"one with its fields in another order", "widgets.example.com", "w",
			`{"size":1,"metadata":{"uid":"` + uid + `","namespace":"default","name":"w"},"apiVersion":"example.com/v1","kind":"Widget"}`, ""},
		{"a group without a dot", "widgets.example", "w", widget("example/v1", "Widget", "w"), `unknown resource "widgets.example"`},
		{"a group of Kubernetes", "widgets.new.k8s.io", "w", widget("new.k8s.io/v1", "Widget", "w"), `unknown resource "widgets.new.k8s.io"`},
		{"another group's body", "widgets.example.com", "w", widget("example.org/v1", "Widget", "w"), `"example.org/v1"`},
		{"no version", "widgets.example.com", "w", widget("example.com/", "Widget", "w"), `its body has the apiVersion`},
		{"no kind", "widgets.example.com", "w", widget("example.com/v1", "", "w"), `its body has the apiVersion`},
		{"a kind that breaks the body", "widgets.example.com", "w", widget("example.com/v1", `W\",\"x\":\"`, "w"), `its body has the apiVersion`},
		{"a bad name", "widgets.example.com", "A B", widget("example.com/v1", "Widget", "A B"), "metadata.name"},
		{"metadata of another shape", "widgets.example.com", "w",
			strings.Replace(widget("example.com/v1", "Widget", "w"), `"uid"`, `"labels":[1],"uid"`, 1), "its metadata"},
		{"another object's body", "widgets.example.com", "v", widget("example.com/v1", "Widget", "w"), "that of another object"},
		{"no body", "widgets.example.com", "w", "null", "its body has the apiVersion"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := append(records(), snapshot.Record{Version: note(tt.object, tt.resource, "default", uid, 8, tt.body)})
			got, err := read(write(t, header(), all))
			if tt.want != "" {
				if !errors.Is(err, snapshot.ErrInvalid) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want ErrInvalid with %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			body := string(got.records[len(got.records)-1].Version.Body)
			if !strings.HasPrefix(body, `{"kind":"Widget","apiVersion":"example.com/v1","metadata":{`) || !strings.Contains(body, `"size":1`) {
				t.Errorf("it is stored as %s", body)
			}
		})
	}
}
