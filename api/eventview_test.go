package api_test

import (
	"strings"
	"testing"
)

// Events written through events.k8s.io are validated more strictly than those of the core group,
// and only their series may change. Errors name the stored kind.
func TestEventView(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	const view, core = "/apis/events.k8s.io/v1/namespaces/default/events", "/api/v1/namespaces/default/events"
	const event = `{"metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000000Z","reportingController":"k.io/c","reportingInstance":"i","action":"A",` +
		`"reason":"R","type":"Normal","note":"n","regarding":{"kind":"Pod","name":"p","namespace":"default"}}`
	for _, step := range []struct {
		name, request, body string
		code                int
		want                string
	}{
		{"of another type", "POST " + view, strings.Replace(event, "Normal", "Foo", 1), 422, `Event \"e\" is invalid: type: Invalid value: \"\": has invalid value: Foo`},
		{"of no time", "POST " + view, strings.Replace(event, "eventTime", "x", 1), 422, `Event \"e\" is invalid: eventTime: Required value`},
		{"well", "POST " + view, event, 201, `"note":"n"`},
		{"a series", "PATCH " + view + "/e", `{"series":{"count":2,"lastObservedTime":"2026-01-01T00:01:00.000000Z"}}`, 200, `"count":2`},
		{"other text", "PATCH " + view + "/e", `{"note":"other"}`, 422, `Event \"e\" is invalid: message: Invalid value: \"other\": field is immutable`},
		{"other text of the core group", "PATCH " + core + "/e", `{"message":"other"}`, 200, `"message":"other"`},
	} {
		res := c.do(t, step.request, step.body, "Content-Type: "+map[bool]string{true: "application/merge-patch+json", false: "application/json"}[strings.HasPrefix(step.request, "PATCH")])
		if res.code != step.code || !strings.Contains(res.body, step.want) {
			t.Errorf("%s: %d %s", step.name, res.code, res.body)
		}
	}
}
