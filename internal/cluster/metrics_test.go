package cluster_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// metricName finds the names of metrics in an expression: Rowlock's, the API server's, and the
// process'.
var metricName = regexp.MustCompile(`\b(?:rowlock|apiserver|process|go)_[a-z0-9_]+\b`)

// TestMetrics_OfTheExamples: the server has every metric that the example rules and the example
// dashboard use, from its start on, and the guide explains each alert.
func TestMetrics_OfTheExamples(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Get("/api/v1/nodes", &struct{}{})
	served := metricsOf(string(s.Do("GET", "/metrics", "")))
	if served["rowlock_mirror_loads_total"] == "" || served["apiserver_storage_size_bytes"] == "" {
		t.Fatalf("/metrics lacks the database's metrics: %v", served)
	}
	rules := read(t, "../../deploy/prometheus-rules.yml")
	var alerts struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr         string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(rules), &alerts); err != nil {
		t.Fatal(err)
	}
	var expressions []string
	guide := read(t, "../../docs/guide/operating.md")
	for _, g := range alerts.Groups {
		for _, r := range g.Rules {
			expressions = append(expressions, r.Expr)
			if !strings.Contains(guide, "| `"+r.Alert+"` |") {
				t.Errorf("the guide does not say what %s means", r.Alert)
			}
			if !slices.Contains([]string{"critical", "warning", "info"}, r.Labels["severity"]) || r.Annotations["summary"] == "" {
				t.Errorf("%s has the severity %q and the summary %q", r.Alert, r.Labels["severity"], r.Annotations["summary"])
			}
		}
	}
	if len(expressions) < 10 {
		t.Fatalf("%d alerts were read", len(expressions))
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "../../deploy/grafana-dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		if len(p.Targets) == 0 {
			t.Errorf("the panel %q shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	for _, e := range expressions {
		names := metricName.FindAllString(e, -1)
		if len(names) == 0 && !strings.Contains(e, `up{job="rowlock"}`) {
			t.Errorf("nothing is known of what %s goes by", e)
		}
		for _, name := range names {
			if served[name] == "" {
				t.Errorf("%s goes by %s, which the server does not have", e, name)
			}
		}
	}
}

// TestMetrics_CountRequests: requests are counted by verb and code, whatever clients send.
func TestMetrics_CountRequests(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Try("GET", "/api/v1/namespaces/default/pods/none", "")
	s.Try("MADEUP", "/api/v1/nodes", "")
	s.Do("POST", configMaps, `{"metadata":{"name":"one"}}`)
	s.Do("GET", configMaps+"?watch=true&timeoutSeconds=1", "")
	served := metricsOf(string(s.Do("GET", "/metrics", "")))
	for sample, want := range map[string]string{
		`apiserver_request_total{code="404",verb="GET"}`:   "1",
		`apiserver_request_total{code="405",verb="other"}`: "1",
		`apiserver_request_total{code="201",verb="POST"}`:  "1",
		`apiserver_request_total{code="200",verb="WATCH"}`: "1",
		`apiserver_request_total{code="500",verb="GET"}`:   "0",

		`apiserver_request_duration_seconds_count{verb="POST"}`:        "1",
		`apiserver_current_inflight_requests{request_kind="readOnly"}`: "1", // that of /metrics
		`rowlock_worker_panics_total{controller="deployment"}`:         "0",
	} {
		if served[sample] != want {
			t.Errorf("%s is %q, want %s", sample, served[sample], want)
		}
	}
}

// metricsOf returns the values in a text in Prometheus' format, by whole sample and by name alone.
func metricsOf(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		if i := strings.LastIndexByte(line, ' '); i > 0 && line[0] != '#' {
			name, _, _ := strings.Cut(line[:i], "{")
			values[line[:i]], values[name] = strings.TrimSpace(line[i:]), strings.TrimSpace(line[i:])
		}
	}
	return values
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
