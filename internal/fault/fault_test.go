package fault

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/rowlock/rowlock/internal/outage"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// TestRule_Concerns: a fault of the API applies to the requests that match all of its lists.
func TestRule_Concerns(t *testing.T) {
	t.Parallel()
	update := Request{Verb: "update", Group: "apps", Resource: "deployments", Namespace: "shop", Name: "web", UserAgent: "kubectl/v1.36.0 (linux/amd64)", User: "ann"}
	status, watch, discovery := update, Request{Verb: "watch", Resource: "pods", Namespace: "shop"}, Request{Verb: "get"}
	status.Subresource = "status"
	for name, tt := range map[string]struct {
		api  API
		want []bool // for update, status, watch, discovery
	}{
		"everything":            {API{}, []bool{true, true, true, true}},
		"a verb":                {API{Verbs: []string{"update", "patch"}}, []bool{true, true, false, false}},
		"a resource":            {API{Resources: []string{"deployments"}}, []bool{true, false, false, false}},
		"a resource of a group": {API{Resources: []string{"deployments.apps"}}, []bool{true, false, false, false}},
		"of another group":      {API{Resources: []string{"deployments.extensions"}}, []bool{false, false, false, false}},
		"a subresource":         {API{Resources: []string{"deployments/status"}}, []bool{false, true, false, false}},
		"all subresources":      {API{Resources: []string{"*/*"}}, []bool{false, true, false, false}},
		"all resources":         {API{Resources: []string{"*"}}, []bool{true, true, true, true}},
		"a group":               {API{Resources: []string{"*.apps"}}, []bool{true, false, false, false}},
		"a namespace":           {API{Namespaces: []string{"sh*"}}, []bool{true, true, true, false}},
		"another namespace":     {API{Namespaces: []string{"default"}}, []bool{false, false, false, false}},
		"a name":                {API{Names: []string{"db", "web"}}, []bool{true, true, false, false}},
		"a part of the agent":   {API{UserAgents: []string{"v1.36"}}, []bool{true, true, false, false}},
		"an agent like that":    {API{UserAgents: []string{"kubectl/*"}}, []bool{true, true, false, false}},
		"an agent unlike that":  {API{UserAgents: []string{"*/v1.35*"}}, []bool{false, false, false, false}},
		"a user":                {API{Users: []string{"ann"}}, []bool{true, true, false, false}},
		"watches":               {API{Watch: Drop}, []bool{false, false, true, false}},
		"all at once":           {API{Verbs: []string{"*"}, Resources: []string{"deployments"}, Namespaces: []string{"shop"}, Users: []string{"bob"}}, []bool{false, false, false, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := NewRule(&Fault{Spec: Spec{API: &tt.api}})
			var got []bool
			for _, req := range []Request{update, status, watch, discovery} {
				got = append(got, r.Concerns(&req, noon))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("of an update, a status, a watch and discovery (-want +got):\n%s", diff)
			}
		})
	}
	until := NewRule(&Fault{Spec: Spec{API: &API{}, Until: &noon}})
	if !until.Concerns(&update, noon.Add(-1)) || until.Concerns(&update, noon) {
		t.Error("a fault is over when its time has come, and not before")
	}
}

// TestAPI_Chance: the draws are fixed: a change here changes the effect of users' seeds.
func TestAPI_Chance(t *testing.T) {
	t.Parallel()
	draw := func(seed int64, p float64, n int64) (s string) {
		a := &API{Seed: seed, Probability: &p}
		for i := range n {
			if a.Chance(i + 1) {
				s += "x"
			} else {
				s += "."
			}
		}
		return s
	}
	got := []string{draw(7, 0.3, 32), draw(8, 0.3, 32), draw(7, 0, 8), draw(7, 1, 8)}
	want := []string{".x..x......x..xxxx.x....xx..x.x.", "...x.xx.x.....x.......x.x...x...", "........", "xxxxxxxx"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("draws (-want +got):\n%s", diff)
	}
	if n := strings.Count(draw(1, 0.1, 5000), "x"); n < 425 || n > 575 {
		t.Errorf("%d of 5000 with a probability of 0.1", n)
	}
	if !(&API{}).Chance(1) {
		t.Error("without a probability it is certain")
	}
}

// TestLike: like agrees with a naive matcher.
func TestLike(t *testing.T) {
	t.Parallel()
	var naive func(p, v string) bool
	naive = func(p, v string) bool {
		if p == "" {
			return v == ""
		}
		if p[0] == '*' {
			for i := range len(v) + 1 {
				if naive(p[1:], v[i:]) {
					return true
				}
			}
			return false
		}
		return v != "" && p[0] == v[0] && naive(p[1:], v[1:])
	}
	rapid.Check(t, func(t *rapid.T) {
		p, v := rapid.StringMatching(`[ab*]{0,8}`).Draw(t, "pattern"), rapid.StringMatching(`[ab]{0,10}`).Draw(t, "value")
		if got, want := like(p, v), naive(p, v); got != want {
			t.Fatalf("like(%q, %q) = %v", p, v, got)
		}
	})
}

func TestImageRule_Concerns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, name, reference string
		want                     bool
	}{
		{"nginx:1.29", "nginx:1.29", "docker.io/library/nginx:1.29", true},
		{"nginx:1.29", "docker.io/library/nginx:1.29", "docker.io/library/nginx:1.29", true},
		{"docker.io/library/nginx:1.29", "nginx:1.29", "docker.io/library/nginx:1.29", true},
		{"nginx", "nginx:1.29", "docker.io/library/nginx:1.29", true},
		{"nginx:1.2*", "nginx:1.29", "docker.io/library/nginx:1.29", true},
		{"nginx:latest", "nginx", "docker.io/library/nginx:latest", true},
		{"quay.io/*", "quay.io/a/b@sha256:00", "quay.io/a/b@sha256:00", true},
		{"localhost:5000/a", "localhost:5000/a:1", "localhost:5000/a:1", true},
		{"nginx:1.28", "nginx:1.29", "docker.io/library/nginx:1.29", false},
		{"ngin", "nginx:1.29", "docker.io/library/nginx:1.29", false},
		{"nginx", "example.com/nginx:1", "example.com/nginx:1", false},
	} {
		r := &ImageRule{Fault: &Fault{Spec: Spec{Image: &Image{Image: tt.pattern}}}}
		if got := r.Concerns(tt.name, tt.reference); got != tt.want {
			t.Errorf("%s concerns %s: %v", tt.pattern, tt.name, got)
		}
	}
}

func TestPodRule(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) metav1.Time { return metav1.Time{Time: noon.Add(d)} }
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: map[string]string{"app": "web"}, CreationTimestamp: at(-time.Minute)}}
	later := pod.DeepCopy()
	later.CreationTimestamp = at(time.Second)
	for _, tt := range []struct {
		fault      Pod
		pod, later bool
		code       int32
	}{
		{Pod{Namespace: "shop", Name: "web-1", Action: Exit}, true, false, 1},
		{Pod{Namespace: "shop", Name: "web-1", Action: CrashLoop, ExitCode: new(int32(0))}, true, true, 0},
		{Pod{Namespace: "shop", Selector: "app in (web,db)", Action: Unready}, true, true, 1},
		{Pod{Namespace: "shop", Selector: "app=web", Action: Evict}, true, false, 1},
		{Pod{Namespace: "shop", Selector: "app=db", Action: CrashLoop, Signal: "SIGSEGV"}, false, false, 139},
		{Pod{Namespace: "default", Name: "web-1", Action: OOM}, false, false, 137},
		{Pod{Namespace: "shop", Name: "web-2", Action: Exit, Signal: "9"}, false, false, 137},
	} {
		r := NewPodRule(&Fault{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: at(0)}, Spec: Spec{Pod: &tt.fault}})
		if r.Concerns(pod) != tt.pod || r.Concerns(later) != tt.later || r.Code != tt.code {
			t.Errorf("%+v: concerns the Pod %v, a later one %v, code %d", tt.fault, r.Concerns(pod), r.Concerns(later), r.Code)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		spec Spec
		want []string
	}{
		{"nothing", Spec{}, []string{`fault: Required value: exactly one of pod, node, image and api must be given`}},
		{"two", Spec{Pod: &Pod{}, Node: &Node{}}, []string{`fault: Required value: exactly one of pod, node, image and api must be given`}},
		{"a Pod", Spec{Pod: &Pod{Namespace: "default", Name: "a", Action: Exit, ExitCode: new(int32(255))}}, nil},
		{"Pods", Spec{Pod: &Pod{Namespace: "default", Selector: "a=b", Action: CrashLoop, Signal: "KILL", After: "5s"}}, nil},
		{"a Pod that is wrong", Spec{Pod: &Pod{Namespace: "A", Name: "a", Selector: "=", Action: "burn"}}, []string{
			`pod.namespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters ` +
				`or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ` +
				`regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
			`pod: Required value: give either a name or a selector`,
			`pod.selector: Invalid value: "=": found '=', expected: !, identifier, or 'end of string'`,
			`pod.action: Unsupported value: "burn": supported values: "crashloop", "evict", "exit", "oom", "stuck", "unready"`,
		}},
		{"what does not go together", Spec{Pod: &Pod{Name: "a", Action: Stuck, Container: "c", ExitCode: new(int32(1)), After: "1s"}}, []string{
			`pod.container: Forbidden: is not for stuck, which concerns the whole Pod`,
			`pod.exitCode: Forbidden: is for exit and crashloop`,
			`pod.after: Forbidden: is for crashloop`,
		}},
		{"two endings", Spec{Pod: &Pod{Name: "a", Action: Exit, ExitCode: new(int32(1)), Signal: "KILL"}}, []string{`pod.signal: Forbidden: may not be given with an exitCode`}},
		{"a code", Spec{Pod: &Pod{Name: "a", Action: Exit, ExitCode: new(int32(256))}}, []string{`pod.exitCode: Invalid value: 256: must be from 0 to 255`}},
		{"a signal", Spec{Pod: &Pod{Name: "a", Action: Exit, Signal: "BOO"}}, []string{
			`pod.signal: Unsupported value: "BOO": supported values: "ABRT", "ALRM", "BUS", "FPE", "HUP", "ILL", "INT", "KILL", "PIPE", "QUIT", "SEGV", "TERM", "TRAP", "USR1", "USR2"`,
		}},
		{"a node", Spec{Node: &Node{Name: "n", State: "failed"}}, nil},
		{"a node that is wrong", Spec{Node: &Node{State: "tired"}}, []string{`node.name: Required value`, `node.state: Unsupported value: "tired": supported values: "failed", "unreachable"`}},
		{"an image", Spec{Image: &Image{Image: "nginx", Reason: "RegistryUnavailable", Message: "no"}}, nil},
		{"an image that is wrong", Spec{Image: &Image{Reason: "Tired", Message: "a\nb"}}, []string{
			`image.image: Required value`, `image.reason: Unsupported value: "Tired": supported values: "ErrImagePull", "RegistryUnavailable", "SignatureValidationFailed"`,
			`image.message: Invalid value: "a\nb": must be one line of text`,
		}},
		{"the API", Spec{API: &API{Verbs: []string{"get"}, Delay: "5m", Status: 429, RetryAfter: "2s", Count: 3, Probability: new(0.5), Seed: -1}}, nil},
		{"no effect", Spec{API: &API{}}, []string{`api: Required value: specify what happens to the requests: delay, status, conflict, drop or watch`}},
		{"two effects", Spec{API: &API{Status: 500, Conflict: true}}, []string{`api: Forbidden: only one of status, conflict, drop and watch can become of a request`}},
		{"the API, wrong", Spec{API: &API{
			Verbs: []string{"burn"}, Names: []string{""}, Delay: "6m", Status: 200, RetryAfter: "1500ms", Count: -1, Probability: new(math.NaN()), After: "1s",
		}}, []string{
			`api.verbs: Unsupported value: "burn": supported values: "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"`,
			`api.names[0]: Required value`,
			`api.delay: Invalid value: "6m": must be a duration such as 500ms or 1m30s, from 0s to 5m0s`,
			`api.status: Invalid value: 200: must be from 400 to 599`,
			`api.after: Forbidden: is for watch`,
			`api.retryAfter: Invalid value: "1500ms": must be whole seconds, such as 1s, up to 1h`,
			`api.count: Invalid value: -1: must be 0 or more`,
			`api.probability: Invalid value: NaN: must be from 0 to 1`,
		}},
		{"watches", Spec{API: &API{Watch: Drop, After: "30s", Verbs: []string{"watch"}}}, nil},
		{"invalid watches", Spec{API: &API{Watch: "burn", Verbs: []string{"get"}}}, []string{
			`api.watch: Unsupported value: "burn": supported values: "drop", "expire"`, `api.verbs: Invalid value: "get": watches have the verb watch`,
		}},
		{"many", Spec{API: &API{Drop: After, Names: make([]string, 101)}}, []string{`api.names: Too many: 101: must have at most 100 items`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, err := range tt.spec.Validate() {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNodeStates: Nodes understand the states of a node's fault.
func TestNodeStates(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(outage.Faults, NodeStates); diff != "" {
		t.Errorf("-outage +fault:\n%s", diff)
	}
}
