package kube

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/connect"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/apps"
	"github.com/rowlock/rowlock/internal/kind/batch"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/object"
)

// mistaken checks that an error is a client error with a Status.
func mistaken(t *testing.T, what string, err error) {
	t.Helper()
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Code < 400 || status.Status().Code >= 500 {
		t.Errorf("%.300q: %v is not a client error", what, err)
	}
}

// bodyKinds are kinds that together have every type of field.
var bodyKinds = []*kind.Kind{podkind.Kind, apps.Deployment, batch.CronJob, core.ConfigMap, core.Secret, service.Kind, core.Node, core.Event}

// decodes checks that a body becomes an object that survives storing and decoding, or is rejected.
func decodes(t *testing.T, s *Server, f wire.Format, which uint8, directive string, body []byte) {
	t.Helper()
	k := bodyKinds[int(which)%len(bodyKinds)]
	into := k.New()
	if err := wire.Decode(httptest.NewRecorder(), body, f, directive, k.GroupVersionKind(), into); err != nil {
		mistaken(t, string(body), err)
		return
	}
	first, err := json.Marshal(into)
	if err != nil {
		return // some values, such as NaN in protobuf, cannot be written; validation rejects them
	}
	again := k.New()
	if err := wire.Decode(httptest.NewRecorder(), first, s.formats.JSON, metav1.FieldValidationStrict, k.GroupVersionKind(), again); err != nil {
		t.Fatalf("%s was accepted, and its encoding is not: %v", first, err)
	}
	second, err := json.Marshal(again)
	broken := strings.NewReplacer(`\ufffd`, "\ufffd") // the replacement of invalid UTF-8 has two encodings
	if err != nil || broken.Replace(string(first)) != broken.Replace(string(second)) {
		t.Errorf("%s came back as %s, %v", first, second, err)
	}
	k.Default(into)
	_ = k.Validate(into).ToAggregate()
	if into.GetName() != "" {
		if _, err := object.Encode(&k.Type, into); err != nil {
			t.Errorf("%s cannot be stored: %v", first, err)
		}
	}
}

var directives = []string{metav1.FieldValidationIgnore, metav1.FieldValidationWarn, metav1.FieldValidationStrict, ""}

// seedBodies are bodies in the order of bodyKinds.
var seedBodies = []string{
	`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","deletionTimestamp":"2026-01-02T03:04:05Z"},` +
		`"spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80}],` +
		`"resources":{"requests":{"cpu":"1.5","memory":"1e3Ki"}},"livenessProbe":{"httpGet":{"port":"http"}}}]}}`,
	`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},` +
		`"spec":{"replicas":3,"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":0}},` +
		`"selector":{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}}}`,
	`{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"c"},"spec":{"schedule":"*/5 * * * *","timeZone":"Etc/UTC"}}`,
	`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","managedFields":[{"fieldsV1":{"f:data":{}}}]},"data":{"a":"b"},"binaryData":{"c":"ZA=="}}`,
	`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"b"}}`,
	`{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":"x"}]}}`,
	`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"status":{"capacity":{"cpu":"64"}}}`,
	`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"involvedObject":{},"firstTimestamp":null,"eventTime":"2026-01-02T03:04:05.000006Z"}`,
}

// FuzzJSONBody: a JSON body is an object or a client error.
func FuzzJSONBody(f *testing.F) {
	for i, body := range seedBodies {
		f.Add(uint8(i), uint8(i), body)
	}
	f.Add(uint8(0), uint8(2), `{"kind":"Pod","apiVersion":"v1","spec":{"containers":[{"resources":{"limits":{"cpu":1e9999}}}]},"spec":{}}`)
	s := New(Deps{Catalogue: kind.NewCatalogue(bodyKinds...)})
	f.Fuzz(func(t *testing.T, which, directive uint8, body string) {
		decodes(t, s, s.formats.JSON, which, directives[int(directive)%len(directives)], []byte(body))
	})
}

// FuzzYAMLBody: a YAML body is an object or a client error.
func FuzzYAMLBody(f *testing.F) {
	for i, body := range seedBodies {
		f.Add(uint8(i), uint8(i), body)
	}
	f.Add(uint8(3), uint8(1), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: &d\n  a: !!binary aGk=\n  <<: *d\n")
	f.Add(uint8(3), uint8(2), "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n? {x: y}\n: z\n--- \n1: .nan\n")
	s := New(Deps{Catalogue: kind.NewCatalogue(bodyKinds...)})
	f.Fuzz(func(t *testing.T, which, directive uint8, body string) {
		decodes(t, s, s.formats.YAML, which, directives[int(directive)%len(directives)], []byte(body))
	})
}

// FuzzProtobufBody: a protobuf body is an object or a client error.
func FuzzProtobufBody(f *testing.F) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}}}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "d"}}
	cron := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: "c"}, Spec: batchv1.CronJobSpec{Schedule: "@daily"}}
	raw := func(gvk schema.GroupVersionKind, marshal func() ([]byte, error)) []byte {
		body, err := marshal()
		if err != nil {
			f.Fatal(err)
		}
		meta := "\x0a" + string(rune(len(gvk.GroupVersion().String()))) + gvk.GroupVersion().String() + "\x12" + string(rune(len(gvk.Kind))) + gvk.Kind
		return []byte("k8s\x00\x0a" + string(rune(len(meta))) + meta + "\x12" + string(rune(len(body))) + string(body))
	}
	f.Add(uint8(0), raw(podkind.Kind.GroupVersionKind(), pod.Marshal))
	f.Add(uint8(1), raw(apps.Deployment.GroupVersionKind(), deployment.Marshal))
	f.Add(uint8(2), raw(batch.CronJob.GroupVersionKind(), cron.Marshal))
	s := New(Deps{Catalogue: kind.NewCatalogue(bodyKinds...)})
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		decodes(t, s, s.formats.Protobuf, which, "", body)
	})
}

// FuzzSelectors: a selector is a client error, or printing and parsing it gives the same selector.
func FuzzSelectors(f *testing.F) {
	for _, s := range [][2]string{
		{"app=web,tier!=db", "metadata.name=x"},
		{"a in (b,c), !d, e notin (f), g>1", "spec.nodeName!=a,status.phase==Running"}, {"", `a=b\,c\=d\\`},
		{"a in (),b", "metadata.name"},
	} {
		f.Add(s[0], s[1], "app", "web")
	}
	f.Fuzz(func(t *testing.T, l, fs, key, value string) {
		if s, err := labels.Parse(l); err == nil {
			again, err := labels.Parse(s.String())
			if err != nil || again.Matches(labels.Set{key: value}) != s.Matches(labels.Set{key: value}) {
				t.Errorf("%q printed as %q is %v, %v", l, s, again, err)
			}
		}
		if s, err := fields.ParseSelector(fs); err == nil {
			again, err := fields.ParseSelector(s.String())
			if err != nil || again.Matches(fields.Set{key: value}) != s.Matches(fields.Set{key: value}) {
				t.Errorf("%q printed as %q is %v, %v", fs, s, again, err)
			}
		}
	})
}

// FuzzQuery: the query of any verb gives consistent options, or a client error.
func FuzzQuery(f *testing.F) {
	for _, q := range []string{
		"limit=5&continue=x&resourceVersion=7&resourceVersionMatch=Exact", "watch=1&timeoutSeconds=-5&sendInitialEvents=true&allowWatchBookmarks=x",
		"dryRun=All&fieldManager=a&fieldValidation=Strict&force=true", "gracePeriodSeconds=-1&propagationPolicy=Nobody&orphanDependents=false",
		"tailLines=9223372036854775807&sinceTime=2026-01-02T03:04:05Z&limitBytes=0&stream=Stdout&container=%00", "timeoutSeconds=9223372036854775808", "a;b&%zz", "limit=1&limit=x",
	} {
		f.Add(q, `{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":5,"preconditions":{"uid":"u"}}`)
	}
	s := New(Deps{Catalogue: kind.NewCatalogue(podkind.Kind)})
	r := s.resource(podkind.Kind)
	f.Fuzz(func(t *testing.T, query, body string) {
		req := func() *http.Request {
			req := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(body))
			req.URL.RawQuery = query
			return req
		}
		judge := func(err error) bool {
			if err != nil {
				mistaken(t, query, err)
			}
			return err == nil
		}
		if o, err := collection.Options(req()); judge(err) {
			asked := o.TimeoutSeconds
			if d := r.watchTimeout(o); d < 0 && (asked == nil || *asked >= 0) || o.Limit < 0 && o.Continue != "" {
				t.Errorf("%q: a watch of %v, %+v", query, d, o)
			}
		}
		if o, err := createOptions(req()); judge(err) && len(o.fieldManager) > 128 {
			t.Errorf("%q: %+v", query, o)
		}
		_, err := updateOptions(req())
		judge(err)
		if o, err := r.deleteOptions(req()); judge(err) && o.OrphanDependents != nil && o.PropagationPolicy != nil {
			t.Errorf("%q, %q: %+v", query, body, o)
		}
		if o, err := connect.LogOptions(req(), "p"); judge(err) && (o.TailLines != nil && *o.TailLines < 0 || o.LimitBytes != nil && *o.LimitBytes < 1) {
			t.Errorf("%q: %+v", query, o)
		}
	})
}

// FuzzAccept: the answer to an Accept header has an allowed format, or is 406.
func FuzzAccept(f *testing.F) {
	for _, h := range []string{
		"application/json", "*/*;q=0.1", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "application/yaml;q=2", "text/html",
		"application/vnd.kubernetes.protobuf;stream=watch,application/json;stream=watch", ";;;", "application/json;as=;v=;g=", "application/*;pretty=1",
	} {
		f.Add(h, "curl/8")
	}
	f.Fuzz(func(t *testing.T, header, agent string) {
		req := httptest.NewRequest(http.MethodGet, "/?pretty=maybe", nil)
		req.Header["Accept"], req.Header["User-Agent"] = []string{header}, []string{agent}
		rep, err := wire.Negotiate(req, wire.Transforms)
		switch {
		case err != nil:
			mistaken(t, header, err)
		case rep.As != "" && (rep.As == "Table" && rep.Encoding == wire.Protobuf || rep.Version != "v1" && rep.Version != "v1beta1"):
			t.Errorf("%q: %+v", header, rep)
		case rep.Encoding == wire.YAML && !strings.Contains(strings.ToLower(header), "yaml") && !strings.Contains(header, "*"):
			t.Errorf("%q is answered in YAML", header)
		}
		rec := httptest.NewRecorder()
		wire.WriteStatus(rec, req, &metav1.Status{Code: 400, Message: header})
		if rec.Code != 400 || rec.Body.Len() == 0 {
			t.Errorf("%q: a Status is answered with %d %q", header, rec.Code, rec.Body)
		}
	})
}
