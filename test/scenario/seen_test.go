package scenario

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// version is one row of the log.
type version struct {
	Revision        int64
	Verb            string // c, u or d
	Resource        string
	Namespace, Name string
	fields          map[string]any // the body; nil for a tombstone whose last state is the version before it
}

// versions reads the log after a revision; resource "" means all.
func (w *world) versions(after int64, resource string) []*version {
	w.t.Helper()
	rows, err := w.pool.Query(w.t.Context(), `SELECT revision, verb::text, resource, namespace, name, body::text
		FROM log WHERE revision > $1 AND ($2 = '' OR resource = $2) ORDER BY revision`, after, resource)
	if err != nil {
		w.t.Fatal(err)
	}
	versions, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*version, error) {
		v, body := &version{}, new(string)
		if err := row.Scan(&v.Revision, &v.Verb, &v.Resource, &v.Namespace, &v.Name, &body); err != nil || body == nil {
			return v, err
		}
		return v, json.Unmarshal([]byte(*body), &v.fields)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return versions
}

// since returns the revision of the mark that a command names.
func (w *world) since(c command) int64 {
	w.t.Helper()
	revision, known := w.marks[c.option("since")]
	if !known {
		w.t.Fatalf("there is no mark %q", c.option("since"))
	}
	return revision
}

// text returns a field as text: a dotted path, or ready or node of a Pod. It is "" for a missing
// field.
func (v *version) text(path string) string {
	switch path {
	case "ready":
		return fmt.Sprint(v.ready())
	case "node":
		path = "spec.nodeName"
	}
	switch field := v.field(path).(type) {
	case nil:
		return ""
	case string:
		return field
	default:
		raw, err := json.Marshal(field)
		if err != nil {
			return err.Error()
		}
		return string(raw)
	}
}

func (v *version) field(path string) any {
	var at any = v.fields
	for _, name := range strings.Split(path, ".") {
		switch below := at.(type) {
		case map[string]any:
			at = below[name]
		case []any:
			at = element(below, name)
		default:
			return nil
		}
	}
	return at
}

// element returns the list element with a type or a name, as conditions and containers have.
func element(list []any, name string) any {
	for _, e := range list {
		if fields, _ := e.(map[string]any); fields["type"] == name || fields["name"] == name {
			return e
		}
	}
	return nil
}

// ready reports whether a Pod is Ready.
func (v *version) ready() bool {
	return v.field("status.conditions.Ready.status") == "True"
}

// active reports whether a Pod is neither being deleted nor finished.
func (v *version) active() bool {
	phase := v.text("status.phase")
	return v.Verb != "d" && v.field("metadata.deletionTimestamp") == nil && phase != "Succeeded" && phase != "Failed"
}

var verbs = map[string]string{"c": "created", "u": "updated", "d": "deleted"}

func (w *world) showLog(c command) string {
	var b strings.Builder
	shown := map[string]string{} // what was last shown of an object, by name
	for _, v := range w.versions(0, c.words[0]) {
		line := v.Name
		for _, path := range c.options["show"] {
			line += " " + path[strings.LastIndexByte(path, '.')+1:] + "=" + v.text(path)
		}
		if v.Verb == "d" {
			line = v.Name
		}
		key := v.Namespace + "/" + v.Name
		again := v.Verb == "u" && shown[key] == line
		shown[key] = line
		if again || !c.has("name", v.Name) || v.Revision <= w.since(c) {
			continue
		}
		fmt.Fprintf(&b, "%s %s\n", verbs[v.Verb], line)
	}
	return b.String()
}

func (w *world) showRange(c command) string {
	w.nameHashes()
	pods := map[string]*version{}
	var ready, active []int
	count := func() {
		nReady, nActive := 0, 0
		for _, pod := range pods {
			if pod.active() {
				nActive++
				if pod.ready() {
					nReady++
				}
			}
		}
		ready, active = append(ready, nReady), append(active, nActive)
	}
	for _, v := range w.versions(0, "pods") {
		if len(ready) == 0 && v.Revision > w.since(c) {
			count() // its state at the mark
		}
		if strings.HasPrefix(w.named(v.Name), c.option("of")) {
			pods[v.Namespace+"/"+v.Name] = v
		}
		if v.Revision > w.since(c) {
			count()
		}
	}
	if len(ready) == 0 {
		return "no Pod has changed\n"
	}
	return fmt.Sprintf("ready %d to %d\nactive %d to %d\n", slices.Min(ready), slices.Max(ready), slices.Min(active), slices.Max(active))
}

func (w *world) showEvents(c command) string {
	w.nameHashes()
	var b strings.Builder
	for _, v := range w.versions(w.since(c), "events") {
		about := v.text("involvedObject.kind") + "/" + v.text("involvedObject.name")
		if v.Verb == "d" || !c.has("of", w.named(about)) || !c.has("reason", v.text("reason")) {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s: %s", about, v.text("type"), v.text("reason"), v.text("message"))
		if n := v.text("count"); n != "1" {
			fmt.Fprintf(&b, " (x%s)", n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
