package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// TestUsage: what a Pod has used, at every measurement, is what the metrics API served then.
func TestUsage(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	s.Do("POST", core+"pods", `{"metadata":{"name":"web","labels":{"app":"web"}},"spec":{"terminationGracePeriodSeconds":0,"containers":[{"name":"main","image":"nginx:1.29"}]}}`)
	s.Until("the Pod is scheduled", func() bool {
		var p corev1.Pod
		s.Get(core+"pods/web", &p)
		return p.Spec.NodeName != ""
	})
	type measured struct {
		cpu    float64
		memory int64
	}
	served := map[time.Time]measured{}
	for range 5 {
		s.Advance("3m")
		var m metricsv1beta1.PodMetrics
		s.Get("/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/web", &m)
		use := m.Containers[0].Usage
		served[m.Timestamp.UTC()] = measured{decimal(t, use.Cpu()), use.Memory().Value()}
	}
	check := func(path string, want map[time.Time]measured) v1.Usage {
		t.Helper()
		var u v1.Usage
		s.Get(path, &u)
		got := map[time.Time]measured{}
		for _, m := range u.Items {
			got[m.At] = measured{m.CPU, m.Memory}
		}
		for at, m := range want {
			if got[at] != m {
				t.Errorf("%s: %v at %v, and the metrics API served %v", path, got[at], at, m)
			}
		}
		if len(u.Items) < len(want) || len(u.Items) > 240 || u.Load {
			t.Errorf("%s: %d measurements, load %v", path, len(u.Items), u.Load)
		}
		return u
	}
	path := v1.UsagePath + "?pod=web"
	whole := check(path, served)
	if first := whole.Items[0].At; len(whole.Items) < 55 || first.Before(whole.To.Add(-15*time.Minute)) {
		t.Errorf("%d measurements since %v, of a Pod that has run for a quarter of an hour until %v", len(whole.Items), first, whole.To)
	}

	var p corev1.Pod
	s.Get(core+"pods/web", &p)
	now := fmt.Sprintf("%s&uid=%s&at=%s", path, p.UID, p.ResourceVersion)
	if early := check(now, nil); !early.To.Before(whole.To.Add(-14 * time.Minute)) {
		t.Errorf("the period up to the Pod's last change ends at %v", early.To)
	}
	s.Do("DELETE", core+"pods/web?gracePeriodSeconds=0", "")
	s.Advance("2h")
	s.Refused(404, "GET", path, "")
	check(path+"&uid="+string(p.UID), served)

	s.Do("POST", core+"services", `{"metadata":{"name":"web","annotations":{"emulation.rowlock.io/load":"cpu=2"}},"spec":{"selector":{"app":"web"},"ports":[{"port":80}]}}`)
	var shared v1.Usage
	s.Get(path+"&uid="+string(p.UID), &shared)
	if !shared.Load || len(shared.Items) > 0 {
		t.Errorf("with a declared load: %+v", shared)
	}
	for query, code := range map[string]int{"": 422, "?pod=web&minutes=0": 422, "?pod=web&minutes=1441": 422, "?pod=web&at=-1": 422, "?pod=web&uid=x&at=100000": 404} {
		s.Refused(code, "GET", v1.UsagePath+query, "")
	}
	if answer := s.Refused(422, "GET", path+"&minutes=0", ""); !strings.Contains(answer, "must be a number from 1 to 1440") {
		t.Errorf("no minutes are refused with %s", answer)
	}
}

// TestUsage_Periods: a period of any length has at most 240 measurements, and none before it.
func TestUsage_Periods(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	s.Do("POST", core+"pods", `{"metadata":{"name":"web"},"spec":{"containers":[{"name":"main","image":"nginx:1.29"}]}}`)
	s.Advance("30h")
	for minutes, want := range map[int]int{1: 4, 59: 236, 60: 240, 61: 122, 119: 238, 121: 161, 1440: 240} {
		var u v1.Usage
		s.Get(fmt.Sprintf("%s?pod=web&minutes=%d", v1.UsagePath, minutes), &u)
		if n := len(u.Items); n > 240 || n < want-1 || n > want+1 || !u.Items[0].At.After(u.From) {
			t.Errorf("%d minutes: %d measurements from %v, in a period from %v; want about %d", minutes, n, u.Items[0].At, u.From, want)
		}
	}
}

// TestUsage_LargeVersions: large versions are read only as far as memory allows, and what was before
// them is left out.
func TestUsage_LargeVersions(t *testing.T) {
	t.Parallel()
	s := clustertest.Open(t, pgtest.NewURL(t))
	s.Pause()
	s.Do("POST", core+"pods", `{"metadata":{"name":"web"},"spec":{"containers":[{"name":"main","image":"nginx:1.29"}]}}`)
	s.Advance("10m")
	changed := s.Now()
	for i := range 60 {
		var p corev1.Pod
		s.Get(core+"pods/web", &p)
		p.Annotations = map[string]string{"note": fmt.Sprint(i, strings.Repeat("x", 200<<10))}
		body, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		s.Do("PUT", core+"pods/web", string(body))
	}
	s.Advance("5m")
	var u v1.Usage
	s.Get(v1.UsagePath+"?pod=web", &u)
	if n := len(u.Items); n < 19 || n > 21 || u.Items[0].At.Before(changed) {
		t.Errorf("%d measurements from %v, of a Pod whose last 12 MB of versions are of %v", n, u.Items[0].At, changed)
	}
}

// TestUsage_WhoMaySeeIt: those who may read the Pod and its metrics.
func TestUsage_WhoMaySeeIt(t *testing.T) {
	t.Parallel()
	master, viewer := openWithLogin(t)
	master.Until("the account is there", func() bool {
		code, _ := master.Try("GET", core+"serviceaccounts/default", "")
		return code == http.StatusOK
	})
	master.Do("POST", core+"pods", `{"metadata":{"name":"web"},"spec":{"containers":[{"name":"main","image":"nginx:1.29"}]}}`)
	const path = v1.UsagePath + "?pod=web"
	var u v1.Usage
	viewer.Get(path, &u)

	var token authenticationv1.TokenRequest
	if err := json.Unmarshal(master.Do("POST", core+"serviceaccounts/default/token", `{"spec":{"audiences":[]}}`), &token); err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	account := &clustertest.Site{T: t, URL: master.URL, Client: &http.Client{Transport: bearer{token.Status.Token, "probe/1", transport}}}
	account.Refused(403, "GET", path, "")
	for i, rule := range []string{
		`{"nonResourceURLs":["/rowlock/v1/usage"],"verbs":["get"]}`,
		`{"apiGroups":["metrics.k8s.io"],"resources":["pods"],"verbs":["get"]}`,
		`{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}`,
	} {
		account.Refused(403, "GET", path, "")
		name := fmt.Sprintf("rule-%d", i)
		master.Do("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", `{"metadata":{"name":"`+name+`"},"rules":[`+rule+`]}`)
		master.Do("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", `{"metadata":{"name":"`+name+`"},
			"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"`+name+`"},
			"subjects":[{"kind":"ServiceAccount","namespace":"default","name":"default"}]}`)
	}
	account.Get(path, &u)
}

// decimal returns a quantity's decimal digits as a number.
func decimal(t *testing.T, q *resource.Quantity) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(q.AsDec().String(), 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
