package controller_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	podkind "github.com/rowlock/rowlock/internal/kind/core/pod"
	"github.com/rowlock/rowlock/internal/kind/core/service"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// quota makes a ResourceQuota of the namespace "default".
func quota(name string, hard corev1.ResourceList) *corev1.ResourceQuota {
	return &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: corev1.ResourceQuotaSpec{Hard: hard}}
}

func amounts(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

// keepsQuotas runs the controller of ResourceQuotas.
func (r replica) keepsQuotas() {
	for _, c := range controller.Controllers(world.World{Kinds: r.Kinds, Expiry: world.NewExpiry(), Nodes: world.NewNodes()}) {
		if c.Name == names.ResourceQuota {
			w := engine.New(r.Deps, c)
			r.Run(w.Run)
		}
	}
}

// used returns, printed, what a quota's status shows, once it has caught up with what is enforced.
func (r replica) used(name string) map[corev1.ResourceName]string {
	r.T.Helper()
	out := map[corev1.ResourceName]string{}
	eventually(r.T, "the status of "+name+" shows what is used", func() bool {
		var behind int
		if err := r.Pool.QueryRow(r.T.Context(), `SELECT count(*) FROM wakeups WHERE controller = 'resourcequota'`).Scan(&behind); err != nil || behind > 0 {
			return false
		}
		clear(out)
		shown := false
		r.View(func(v mirror.View) {
			q := v.Get(object.Key{Resource: "resourcequotas", Namespace: "default", Name: name}).Object().(*corev1.ResourceQuota)
			shown = len(q.Status.Hard) == len(q.Spec.Hard)
			for resource, quantity := range q.Status.Used {
				out[resource] = quantity.String()
			}
		})
		return shown
	})
	return out
}

// TestQuota_RacingCreates: many objects are created at once through two replicas; exactly as many
// are admitted as a quota allows, and refused ones burn no revision.
func TestQuota_RacingCreates(t *testing.T) {
	t.Parallel()
	const racers, allowed = 96, 31
	r := newReplica(t)
	replicas := []replica{r, joinReplica(t, r.URL, mirror.Config{})}
	for _, one := range replicas {
		one.keepsQuotas()
	}
	r.Create(quota("few", amounts("configmaps", fmt.Sprint(allowed), "count/configmaps", "1000")))
	r.used("few")
	before := r.Revision()
	var won, lost atomic.Int64
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			cm := configMap(fmt.Sprint("c-", i))
			cm.UID = newUID()
			_, err := replicas[i%2].Store.Write(t.Context(), store.Change{Verb: object.Created, Type: &core.ConfigMap.Type, New: cm, Writer: "client"})
			var over *kind.Exceeded
			switch {
			case err == nil:
				won.Add(1)
			case !errors.As(err, &over):
				t.Error(err)
			case over.Error() != "exceeded quota: few, requested: configmaps=1, used: configmaps=31, limited: configmaps=31":
				t.Error(over)
			default:
				lost.Add(1)
			}
		})
	}
	wg.Wait()
	if won.Load() != allowed || lost.Load() != racers-allowed {
		t.Errorf("%d were created, %d refused", won.Load(), lost.Load())
	}
	if diff := cmp.Diff(map[corev1.ResourceName]string{"configmaps": "31", "count/configmaps": "31"}, r.used("few")); diff != "" {
		t.Error(diff)
	}
	created := 0
	for _, what := range r.History(before) {
		if len(what) > 7 && what[:7] == "created" {
			created++
		}
	}
	if created != allowed {
		t.Errorf("%d revisions are of creations", created)
	}
}

// TestQuota_UsageIsTheRecount: objects are created, changed and deleted at once through two
// replicas, while quotas are created, changed and deleted; in the end each quota shows the actual
// usage.
func TestQuota_UsageIsTheRecount(t *testing.T) {
	t.Parallel()
	r := newReplica(t)
	replicas := []replica{r, joinReplica(t, r.URL, mirror.Config{})}
	for _, one := range replicas {
		one.keepsQuotas()
	}
	hards := []corev1.ResourceList{
		amounts("configmaps", "40", "pods", "25", "requests.cpu", "5", "services", "20", "services.nodeports", "9", "count/pods", "60"),
		amounts("pods", "30", "limits.memory", "4Gi", "cpu", "7", "count/configmaps", "50"),
		amounts("pods", "20", "requests.cpu", "3"),
	}
	var wg sync.WaitGroup
	for worker := range 6 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(7, uint64(worker)))
			one := replicas[worker%2]
			var own []*object.Version
			for step := range 60 {
				c := changeAtRandom(random, fmt.Sprintf("w%d-%d", worker, step), &own)
				v, err := one.Store.Write(t.Context(), c)
				var over *kind.Exceeded
				if err != nil && !errors.As(err, &over) {
					t.Error(err)
				}
				if err == nil && c.Verb != object.Deleted {
					own = append(own, v)
				} else if err != nil && c.Old != nil {
					own = append(own, c.Old)
				}
			}
		})
	}
	scoped := quota("scoped", hards[2])
	scoped.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating}
	for round := range 6 { // quotas are created and deleted meanwhile
		v := replicas[round%2].Create(quota("many", hards[round%2]))
		other := replicas[(round+1)%2].Create(quota("other", hards[1]))
		if round == 2 {
			r.Create(scoped)
		}
		for i := range 3 {
			r.used("many")
			r.View(func(view mirror.View) { v = view.UID(v.UID) })
			next := v.Object().DeepCopyObject().(*corev1.ResourceQuota)
			next.Spec.Hard = hards[(round+i)%2]
			_, err := r.Store.Write(t.Context(), store.Change{Verb: object.Updated, Type: v.Type, Old: v, New: next, Writer: "client"})
			if conflict := new(store.ConflictError); err != nil && !errors.As(err, &conflict) {
				t.Error(err)
			}
		}
		if round < 5 {
			for _, name := range []string{"many", "other"} {
				r.removeQuota(name)
			}
		}
		_ = other
	}
	wg.Wait()
	for _, name := range []string{"many", "other", "scoped"} {
		used := r.used(name)
		want := map[corev1.ResourceName]string{}
		r.View(func(v mirror.View) {
			q := kind.NewQuota(v.Get(object.Key{Resource: "resourcequotas", Namespace: "default", Name: name}).Object().(*corev1.ResourceQuota))
			sums := corev1.ResourceList{}
			for _, k := range r.Kinds.Stored() {
				if !k.Namespaced {
					continue
				}
				v.Each(k.Resource(), "default", func(o *object.Version) bool {
					for resource, quantity := range q.Usage(k, o.Object()) {
						sum := sums[resource]
						sum.Add(quantity)
						sums[resource] = sum
					}
					return true
				})
			}
			for resource := range q.Limits(r.Kinds) {
				sum := sums[resource]
				want[resource] = sum.String()
			}
		})
		if diff := cmp.Diff(want, used); diff != "" {
			t.Errorf("%s (-there is +is used):\n%s", name, diff)
		}
	}
}

// removeQuota deletes a quota, however its status changes meanwhile.
func (r replica) removeQuota(name string) {
	r.T.Helper()
	for {
		var v *object.Version
		r.View(func(view mirror.View) {
			v = view.Get(object.Key{Resource: "resourcequotas", Namespace: "default", Name: name})
		})
		_, err := r.Store.Write(r.T.Context(), store.Change{Verb: object.Deleted, Type: v.Type, Old: v, Writer: "client"})
		if err == nil {
			return
		}
		if conflict := new(store.ConflictError); !errors.As(err, &conflict) {
			r.T.Fatal(err)
		}
	}
}

// changeAtRandom creates, changes or deletes something; it removes the changed object from own.
func changeAtRandom(random *rand.Rand, name string, own *[]*object.Version) store.Change {
	meta := metav1.ObjectMeta{Namespace: "default", Name: name, UID: newUID()}
	if n := len(*own); n > 0 && random.IntN(3) == 0 {
		i := random.IntN(n)
		old := (*own)[i]
		*own = append((*own)[:i:i], (*own)[i+1:]...)
		if random.IntN(2) == 0 {
			return store.Change{Verb: object.Deleted, Type: old.Type, Old: old, Writer: "client"}
		}
		next := old.Object().DeepCopyObject().(object.Object)
		switch o := next.(type) {
		case *corev1.Pod:
			switch random.IntN(3) {
			case 0:
				o.Status.Phase = corev1.PodSucceeded
			case 1:
				o.Spec.ActiveDeadlineSeconds = new(int64(9))
			case 2:
				o.Spec.Containers[0].Resources.Requests = amounts("cpu", fmt.Sprint(random.IntN(900), "m"))
			}
		case *corev1.Service:
			o.Spec.Type = []corev1.ServiceType{corev1.ServiceTypeNodePort, corev1.ServiceTypeClusterIP}[random.IntN(2)]
		case *corev1.ConfigMap:
			o.Data = map[string]string{"a": name}
		}
		return store.Change{Verb: object.Updated, Type: old.Type, Old: old, New: next, Writer: "client"}
	}
	switch random.IntN(3) {
	case 0:
		return store.Change{Verb: object.Created, Type: &core.ConfigMap.Type, New: &corev1.ConfigMap{ObjectMeta: meta}, Writer: "client"}
	case 1:
		s := &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeClusterIP, Ports: []corev1.ServicePort{{Port: 80}, {Port: 81}}}}
		return store.Change{Verb: object.Created, Type: &service.Kind.Type, New: s, Writer: "client"}
	}
	p := &corev1.Pod{ObjectMeta: meta, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{
		Requests: amounts("cpu", fmt.Sprint(random.IntN(700), "m")), Limits: amounts("memory", fmt.Sprint(random.IntN(300), "Mi")),
	}}}}}
	if random.IntN(3) == 0 {
		p.Spec.ActiveDeadlineSeconds = new(int64(5))
	}
	return store.Change{Verb: object.Created, Type: &podkind.Kind.Type, New: p, Writer: "client"}
}
