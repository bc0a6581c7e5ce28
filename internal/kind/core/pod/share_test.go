package pod_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/kindtest"
	"github.com/rowlock/rowlock/internal/object"
)

// tokenPod returns a Pod of a template as admission makes it, on a node.
func tokenPod(node string) *corev1.Pod {
	p := kindtest.BarePod()
	token := corev1.VolumeMount{Name: "kube-api-access-abcde", MountPath: "/var/run/secrets", ReadOnly: true}
	few := corev1.ResourceList{"cpu": resource.MustParse("10m"), "memory": resource.MustParse("16Mi")}
	p.Spec.InitContainers = []corev1.Container{{Name: "i", Image: "busybox", VolumeMounts: []corev1.VolumeMount{token}}}
	p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "d", Image: "busybox"})
	p.Spec.Containers[0].Resources.Requests = few
	p.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: "data", MountPath: "/data"}, token}
	p.Spec.Volumes = []corev1.Volume{{Name: "data"}, {Name: token.Name}}
	p.Spec.Tolerations = []corev1.Toleration{{Key: "a", Operator: corev1.TolerationOpExists}}
	p.Spec.SecurityContext = &corev1.PodSecurityContext{}
	p.Spec.NodeName = node
	p.Status.AllocatedResources = few
	return p
}

// stored returns the version of a Pod, as one that was read from the log, or as one that this
// process has made.
func stored(t testing.TB, p *corev1.Pod, made bool) *object.Version {
	t.Helper()
	body, err := object.Encode(&podkind.Kind.Type, p)
	if err != nil {
		t.Fatal(err)
	}
	v := &object.Version{Type: &podkind.Kind.Type, Namespace: p.Namespace, Name: p.Name, Revision: 7}
	v.SetBody(body)
	if made {
		own := &corev1.Pod{}
		if err := json.Unmarshal(body, own); err != nil {
			t.Fatal(err)
		}
		v.Remember(own)
	}
	return v
}

// decoded decodes a version without sharing anything.
func decoded(t testing.TB, v *object.Version) *corev1.Pod {
	t.Helper()
	p := &corev1.Pod{}
	if err := json.Unmarshal(v.AppendJSON(nil), p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestShared_PodsOfATemplateShareWhatIsEqual(t *testing.T) {
	t.Parallel()
	for _, made := range []bool{false, true} {
		var first *corev1.Pod
		for i := range 3 {
			node := ""
			if !made {
				node = fmt.Sprint("node-", i)
			}
			v := stored(t, tokenPod(node), made)
			p := v.Object().(*corev1.Pod)
			if want := decoded(t, v); !reflect.DeepEqual(p, want) {
				t.Fatalf("made %t: -want +got:\n%s", made, cmp.Diff(want, p))
			}
			if first == nil {
				first = p
				continue
			}
			if &p.Spec.Tolerations[0] != &first.Spec.Tolerations[0] || p.Spec.SecurityContext != first.Spec.SecurityContext {
				t.Errorf("made %t: tolerations and security context are in memory again", made)
			}
			if &p.Spec.Volumes[0] != &first.Spec.Volumes[0] || &p.Spec.Containers[0] != &first.Spec.Containers[0] {
				t.Errorf("made %t: volumes and containers are in memory again", made)
			}
		}
	}
	lists := [2]uintptr{}
	for i := range lists {
		lists[i] = reflect.ValueOf(stored(t, tokenPod(fmt.Sprint("m", i)), false).Object().(*corev1.Pod).Status.AllocatedResources).Pointer()
	}
	if lists[0] != lists[1] {
		t.Error("equal lists of resources are in memory twice")
	}
}

// TestShared_LabelsOwnersAndConditions: equal ones are in memory once, whether the Pods were read or
// made; others are what the bodies say.
func TestShared_LabelsOwnersAndConditions(t *testing.T) {
	t.Parallel()
	pod := func(app string, second int, note string) *corev1.Pod {
		p := tokenPod("")
		p.Labels, p.Annotations = map[string]string{"app": app, "a": `"labels":{"b":"c"}`}, map[string]string{"note": note}
		p.OwnerReferences = []metav1.OwnerReference{{Kind: "ReplicaSet", Name: app, UID: types.UID(app), Controller: new(true)}}
		at := metav1.Date(2026, 1, 2, 8, 0, second, 0, time.UTC)
		for _, typ := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodReady} {
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
				Type: typ, Status: corev1.ConditionTrue, LastTransitionTime: at, Message: `"conditions":[` + note,
			})
		}
		return p
	}
	for _, made := range []bool{false, true} {
		var got []*corev1.Pod
		for _, p := range []*corev1.Pod{pod("web", 1, "x"), pod("web", 1, "x"), pod("db", 2, "x"), pod("db", 2, strings.Repeat("y", 5000))} {
			v := stored(t, p, made)
			got = append(got, v.Object().(*corev1.Pod))
			if want := decoded(t, v); !reflect.DeepEqual(got[len(got)-1], want) {
				t.Fatalf("made %t: -want +got:\n%s", made, cmp.Diff(want, got[len(got)-1]))
			}
		}
		for i, same := range []bool{true, false} {
			a, b := got[2*i], got[2*i+1]
			if once := &a.Status.Conditions[0] == &b.Status.Conditions[0]; once != same {
				t.Errorf("made %t: conditions of Pods %d and %d are shared: %t", made, 2*i, 2*i+1, once)
			}
			if reflect.ValueOf(a.Labels).Pointer() != reflect.ValueOf(b.Labels).Pointer() {
				t.Errorf("made %t: labels of Pods %d and %d are in memory twice", made, 2*i, 2*i+1)
			}
			if &a.OwnerReferences[0] != &b.OwnerReferences[0] {
				t.Errorf("made %t: owners of Pods %d and %d are in memory twice", made, 2*i, 2*i+1)
			}
		}
		if c := got[0].Status.Conditions; cap(c) != len(c) {
			t.Errorf("made %t: there is room for %d conditions", made, cap(c))
		}
	}
}

// TestShared_NamesElsewhereArePlainText: what looks like a name that differs between Pods may be
// another text of the template, and then belongs to the Pod as it is.
func TestShared_NamesElsewhereArePlainText(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*corev1.Pod, string){
		"a volume's name": func(p *corev1.Pod, suffix string) { p.Spec.Volumes[1].Name = "kube-api-access-" + suffix },
		"a selector with a node's name": func(p *corev1.Pod, suffix string) {
			p.Spec.NodeSelector = map[string]string{"nodeName": suffix}
		},
		"two of them, and no node": func(p *corev1.Pod, suffix string) {
			p.Spec.NodeSelector = map[string]string{"nodeName": suffix}
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
				NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "nodeName", Values: []string{suffix}}}}},
			}}}
			p.Spec.NodeName = ""
		},
		"a selector of a node's name, empty at first, without a node": func(p *corev1.Pod, suffix string) {
			p.Spec.NodeSelector = map[string]string{"nodeName": strings.TrimLeft(suffix, "0")}
			p.Spec.NodeName = ""
		},
		"JSON in an argument": func(p *corev1.Pod, suffix string) {
			p.Spec.Containers[0].Args = []string{`","nodeName":"` + suffix + `","x":"`}
		},
		"a node's name with a quote": func(p *corev1.Pod, suffix string) { p.Spec.NodeName = `a"` + suffix },
		"an ephemeral container with the mount": func(p *corev1.Pod, suffix string) {
			p.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
				Name: "e", VolumeMounts: []corev1.VolumeMount{{Name: "kube-api-access-" + suffix, MountPath: "/x"}},
			}}}
		},
		"no security context":     func(p *corev1.Pod, _ string) { p.Spec.SecurityContext = nil },
		"an annotation like spec": func(p *corev1.Pod, suffix string) { p.Annotations = map[string]string{"spec": `},"spec":{` + suffix} },
		"a large spec": func(p *corev1.Pod, suffix string) {
			p.Spec.Containers[0].Args = []string{string(make([]byte, 20<<10)) + suffix}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range 4 {
				for _, made := range []bool{false, true} {
					p := tokenPod(fmt.Sprint("node-", i))
					change(p, fmt.Sprintf("%05d", i))
					v := stored(t, p, made)
					if got, want := v.Object(), decoded(t, v); !reflect.DeepEqual(got, want) {
						t.Errorf("made %t: -want +got:\n%s", made, cmp.Diff(want, got))
					}
				}
			}
		})
	}
}

func TestShared_RandomPodsDecodeAsTheyWouldAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		p := randomPod(r)
		for _, made := range []bool{false, true, false} {
			v := stored(t, p, made)
			if got, want := v.Object(), decoded(t, v); !reflect.DeepEqual(got, want) {
				r.Fatalf("made %t: -want +got:\n%s", made, cmp.Diff(want, got))
			}
		}
	})
}

func BenchmarkVersion_DecodePod(b *testing.B) {
	v := stored(b, tokenPod("node-1"), false)
	body := v.Body()
	b.ReportAllocs()
	for b.Loop() {
		next := &object.Version{Type: &podkind.Kind.Type, Revision: 7}
		next.SetBody(body)
		next.Object()
	}
}
