package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/jsonpath"
)

// answer is a server's answer.
type answer struct {
	code   int
	header http.Header
	body   []byte
	watch  bool // the body is the frames of a watch
}

// shownHeaders are compared whenever they occur.
var shownHeaders = []string{"Warning", "Allow", "Location", "Retry-After"}

// render formats an answer as in stories, with these fields of its object.
func (a *answer) render(show []string) string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	var o map[string]any
	switch {
	case a.watch:
		line("%d watch", a.code)
		for frame := range strings.Lines(string(a.body)) {
			line("%s", renderFrame([]byte(frame), show))
		}
	case json.Unmarshal(a.body, &o) != nil:
		line("%d", a.code)
		for text := range strings.Lines(string(a.body)) {
			line("| %s", strings.TrimSpace(text))
		}
	default:
		line("%d %s", a.code, renderObject(a.body))
		for _, path := range show {
			line("%s: %s", path, field(o, path))
		}
	}
	for _, name := range shownHeaders {
		for _, value := range a.header.Values(name) {
			line("%s: %s", name, value)
		}
	}
	if media := a.header.Get("Content-Type"); media != "application/json" && media != "" {
		line("Content-Type: %s", media)
	}
	return out.String()
}

// renderObject returns the first lines for an object, a list or a Status.
func renderObject(body []byte) string {
	var o struct {
		metav1.TypeMeta `json:",inline"`
		Metadata        struct {
			Name               string
			Continue           string
			RemainingItemCount *int64
		}
		Items *[]struct{ Metadata metav1.ObjectMeta }
		Rows  *[]any
	}
	if err := json.Unmarshal(body, &o); err != nil {
		return "no object: " + err.Error()
	}
	if o.Kind == "Status" {
		return renderStatus(body)
	}
	out := strings.TrimRight(o.Kind+" "+o.Metadata.Name, " ")
	switch {
	case o.Items != nil:
		for _, item := range *o.Items {
			out += "\n- " + item.Metadata.Name
		}
	case o.Rows != nil:
		out += fmt.Sprintf("\nrows: %d", len(*o.Rows))
	}
	if o.Metadata.Continue != "" {
		out += "\ncontinues"
	}
	if n := o.Metadata.RemainingItemCount; n != nil {
		out += fmt.Sprintf("\nremaining: %d", *n)
	}
	return out
}

func renderStatus(body []byte) string {
	var s metav1.Status
	if err := json.Unmarshal(body, &s); err != nil {
		return "no Status: " + err.Error()
	}
	out := "Status " + s.Status
	if s.Status == metav1.StatusFailure {
		out = strings.TrimRight(string(s.Reason), " ")
	}
	if s.Message != "" {
		out += "\n" + oneLine(s.Message)
	}
	if s.Details != nil {
		s.Details.Causes = onlyOnce(s.Details.Causes)
		if doc, err := json.Marshal(s.Details); err == nil && string(doc) != "{}" {
			out += "\ndetails: " + string(doc)
		}
	}
	if s.Continue != "" {
		out += "\ncontinues"
	}
	return out
}

// onlyOnce drops repeated causes: how many validations of a server have found the same does not
// matter.
func onlyOnce(causes []metav1.StatusCause) (out []metav1.StatusCause) {
	for _, c := range causes {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// oneLine quotes a text of several lines.
func oneLine(text string) string {
	if strings.ContainsAny(text, "\n\r") {
		return strconv.Quote(text)
	}
	return text
}

// renderFrame formats one event of a watch.
func renderFrame(frame []byte, show []string) string {
	var event struct {
		Type   string
		Object json.RawMessage
	}
	if err := json.Unmarshal(frame, &event); err != nil {
		return "no frame: " + string(frame)
	}
	out := event.Type + " " + renderObject(event.Object)
	var o map[string]any
	if err := json.Unmarshal(event.Object, &o); err != nil {
		return out
	}
	for _, path := range show {
		if value := field(o, path); value != "" {
			out += " " + path + "=" + value
		}
	}
	return out
}

// field returns a field's value: text unchanged, everything else as JSON; "" if there is none.
func field(o map[string]any, path string) string {
	p := jsonpath.New("field").AllowMissingKeys(true)
	if err := p.Parse(path); err != nil {
		return "no path: " + err.Error()
	}
	found, err := p.FindResults(o)
	if err != nil {
		return "nothing at the path: " + err.Error()
	}
	var values []string
	for _, result := range found {
		for _, v := range result {
			if text, ok := v.Interface().(string); ok {
				values = append(values, text)
				continue
			}
			doc, err := json.Marshal(v.Interface())
			if err != nil {
				return err.Error()
			}
			values = append(values, string(doc))
		}
	}
	return strings.Join(values, " ")
}

var (
	uids     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	times    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	patched  = regexp.MustCompile(`(\\*)"\{\\+"(apiVersion|kind)\\+":.*?\}\\*": `)
	currents = regexp.MustCompile(`(current: |too old resource version: \d+ \()\d+`)
)

// normalize replaces what differs from run to run: the variables' values, whole objects in errors
// of patches, uids, times.
func normalize(text string, variables map[string]string) string {
	names := slices.SortedFunc(maps.Keys(variables), func(a, b string) int { return len(variables[b]) - len(variables[a]) })
	for _, name := range names {
		value := variables[name]
		if value == "" {
			continue
		}
		bounded := regexp.MustCompile(`(^|[^A-Za-z0-9])` + regexp.QuoteMeta(value) + `($|[^A-Za-z0-9])`)
		for range 2 { // two adjacent matches share the text in between
			text = bounded.ReplaceAllString(text, "${1}$${"+name+"}${2}")
		}
	}
	text = patched.ReplaceAllString(text, `$1"OBJECT$1": `)
	text = uids.ReplaceAllString(text, "UID")
	text = times.ReplaceAllString(text, "TIME")
	return currents.ReplaceAllString(text, "${1}N")
}

func decode(body []byte) (o map[string]any, err error) {
	err = json.Unmarshal(body, &o)
	return o, err
}
