package pod_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
)

// Files in testdata have cases. Each case has a name, its difference from a plain Pod and, after
// "-->", the change of an update; the outcome follows "----". Run with -rewrite to update the
// outcomes, and be able to explain every line that changes.
var rewrite = flag.Bool("rewrite", false, "rewrite the outcomes in testdata")

// plainPod is the Pod that every case changes. It mounts no token, so that it has only the case's
// containers.
const plainPod = `{
	"apiVersion": "v1", "kind": "Pod",
	"metadata": {"name": "web", "namespace": "default", "uid": "8c3e", "resourceVersion": "1"},
	"spec": {"automountServiceAccountToken": false, "containers": [{"name": "c", "image": "busybox:1"}]}
}`

// podCase is one case.
type podCase struct {
	name        string
	pod, update string // YAML; update is "" if there is none
	want        string
}

func readPodCases(t *testing.T, file string) []podCase {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var cases []podCase
	for text := range strings.SplitSeq(string(content), "=== ") {
		if text == "" {
			continue
		}
		var c podCase
		var ok bool
		if c.name, text, ok = strings.Cut(text, "\n"); !ok {
			t.Fatalf("%s: a story without a body: %q", file, text)
		}
		if text, c.want, ok = strings.Cut(text, "----\n"); !ok {
			t.Fatalf("%s: %q has no outcome", file, c.name)
		}
		c.pod, c.update, _ = strings.Cut(text, "-->\n")
		c.want = strings.TrimSuffix(c.want, "\n")
		cases = append(cases, c)
	}
	return cases
}

// testPodCases compares each case of a file with its outcome.
func testPodCases(t *testing.T, file string, outcome func(t *testing.T, c podCase) string) {
	t.Helper()
	t.Parallel()
	cases := readPodCases(t, file)
	if *rewrite {
		var b strings.Builder
		for _, c := range cases {
			fmt.Fprintf(&b, "=== %s\n%s", c.name, c.pod)
			if c.update != "" {
				fmt.Fprintf(&b, "-->\n%s", c.update)
			}
			fmt.Fprintf(&b, "----\n%s\n", outcome(t, c))
		}
		if err := os.WriteFile(filepath.Join("testdata", file), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kindtest.Diff(t, strings.Split(c.want, "\n"), strings.Split(outcome(t, c), "\n"))
		})
	}
}

// merged merges YAML into a Pod's JSON: lists are replaced, and null removes a field.
func merged(t *testing.T, pod []byte, change string) []byte {
	t.Helper()
	patch, err := yaml.YAMLToJSON([]byte(change))
	if err != nil {
		t.Fatal(err)
	}
	if string(patch) == "null" {
		return pod
	}
	if pod, err = jsonpatch.MergePatch(pod, patch); err != nil {
		t.Fatal(err)
	}
	return pod
}

func decodePod(t *testing.T, body []byte) *corev1.Pod {
	t.Helper()
	p := &corev1.Pod{}
	if err := yaml.UnmarshalStrict(body, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// given returns the case's Pod as a client sends it.
func (c podCase) given(t *testing.T) *corev1.Pod {
	t.Helper()
	return decodePod(t, merged(t, []byte(plainPod), c.pod))
}

// updated returns old with the case's update applied.
func (c podCase) updated(t *testing.T, old *corev1.Pod) *corev1.Pod {
	t.Helper()
	body, err := yaml.Marshal(old)
	if err != nil {
		t.Fatal(err)
	}
	if body, err = yaml.YAMLToJSON(body); err != nil {
		t.Fatal(err)
	}
	p := decodePod(t, merged(t, body, c.update))
	podkind.Kind.Default(p)
	return p
}

// created returns a Pod as stored. It is validated even if admission rejects it.
func created(p *corev1.Pod) *corev1.Pod {
	podkind.Kind.Default(p)
	_ = kindtest.Admit(podkind.Kind, p, kindtest.Cluster(kindtest.Account("default"), kindtest.Account("robot")))
	podkind.Kind.PrepareCreate(p)
	return p
}

// lines joins texts, each with a line break.
func lines(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(text + "\n")
	}
	return b.String()
}
