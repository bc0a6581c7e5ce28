package token_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/podtest"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/token"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// reader is a Pod that writes its tokens to its log at this interval; one of them is for the vault.
func reader(t *testing.T, every string) *podtest.World {
	t.Helper()
	return withTokens(t, "while sleep "+every+"; do cat /api/token /vault/token; echo; done")
}

// withTokens is a Pod that runs a script and has two tokens.
func withTokens(t *testing.T, script string) *podtest.World {
	t.Helper()
	c := podtest.Mounting(podtest.Mounting(podtest.Sh(script), "kube-api-access-x", "/api"), "vault", "/vault")
	pod := podtest.Bound(c)
	volume := func(audience string, seconds int64) corev1.Volume {
		return corev1.Volume{VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", Audience: audience, ExpirationSeconds: &seconds}}}}}}
	}
	api, vault := volume("", 3607), volume("vault", 600)
	api.Name, vault.Name = "kube-api-access-x", "vault"
	pod.Spec.Volumes = append(pod.Spec.Volumes, api, vault)
	return &podtest.World{T: t, Now: podtest.Noon, Pod: pod, Around: podsetup.Surroundings{Account: &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "account"}}}}
}

// signature is a signer that writes the audience and the age of a token in minutes.
func signature(claims []byte) ([]byte, bool) {
	var said struct {
		Audiences []string `json:"aud"`
		Issued    int64    `json:"iat"`
	}
	if err := json.Unmarshal(claims, &said); err != nil {
		panic(err)
	}
	of := "api"
	if said.Audiences[0] == "vault" {
		of = "vault"
	}
	return []byte(of + "+" + time.Unix(said.Issued, 0).Sub(podtest.Noon).String() + " "), true
}

// A token is as old as its file. A token with a short life is renewed in time; one that lasts for a
// year is renewed by a sync with another reason. Later readers of the log see the same tokens that
// the program saw.
func TestToken_IsRenewed(t *testing.T) {
	t.Parallel()
	w := reader(t, "240")
	w.Sign = signature
	w.Live(21 * time.Minute)
	var want []string
	for _, vault := range []string{"0s", "0s", "8m0s", "8m0s", "16m0s"} {
		want = append(want, "api+0s vault+"+vault+" ")
	}
	if diff := cmp.Diff(want, logged(w)); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

// A Pod whose program reads a token waits until it can be signed; one that only has it does not.
func TestToken_WaitsForTheKey(t *testing.T) {
	t.Parallel()
	noKey := func([]byte) ([]byte, bool) { return nil, false }
	idle := withTokens(t, "while sleep 60; do ls -lL /api/token | awk '{print $5}'; done")
	idle.Sign = noKey
	idle.Live(time.Minute + time.Second)
	if size := strings.Join(logged(idle), "|"); size != "1046" {
		t.Errorf("the token has %s bytes", size)
	}
	w := reader(t, "60")
	w.Sign = noKey
	if p := kubelet.Reconcile(w.Snapshot()); !p.Retry || p.Memory != nil || len(p.Updates) > 0 {
		t.Errorf("the plan without a token is %s", p)
	}
	w.Sign = signature
	w.Live(time.Minute + time.Second)
	if got := strings.Join(logged(w), "|"); got != "api+0s vault+0s " {
		t.Errorf("the Pod has written %q", got)
	}
}

// The tokens of a new Pod wait for its ServiceAccount, for ten seconds: files are written again, and
// programs that read them wait.
func TestToken_WaitsForTheAccount(t *testing.T) {
	t.Parallel()
	whose := func(claims []byte) ([]byte, bool) {
		var said struct {
			Kubernetes struct {
				Account struct{ UID string } `json:"serviceaccount"`
			} `json:"kubernetes.io"`
		}
		if err := json.Unmarshal(claims, &said); err != nil {
			panic(err)
		}
		return []byte("uid=" + said.Kubernetes.Account.UID), true
	}
	idle := withTokens(t, "sleep 600")
	idle.Sign, idle.Around.Account = whose, nil
	if p := kubelet.Reconcile(idle.Snapshot()); !p.Retry || len(p.Updates) == 0 {
		t.Errorf("the kubelet starts the Pod, and looks for the account again: %s", p)
	}

	w := withTokens(t, "cat /api/token; echo; sleep 600")
	account := w.Around.Account
	w.Sign, w.Around.Account = whose, nil
	if p := kubelet.Reconcile(w.Snapshot()); !p.Retry || p.Memory != nil || len(p.Updates) > 0 {
		t.Errorf("the program reads a token without an account: %s", p)
	}
	w.Now, w.Around.Account = podtest.Noon.Add(time.Second), account
	w.Live(20 * time.Second)
	if got := logged(w); !slices.Equal(got, []string{"uid=account"}) {
		t.Errorf("the program has read %q", got)
	}
	if p := kubelet.Reconcile(w.Snapshot()); p.Retry {
		t.Errorf("the kubelet still looks for the account: %s", p)
	}

	without := withTokens(t, "cat /api/token; echo; sleep 600")
	without.Sign, without.Around.Account, without.Now = whose, nil, podtest.Noon.Add(token.AccountWait)
	without.Live(20 * time.Second)
	if got := logged(without); !slices.Equal(got, []string{"uid="}) {
		t.Errorf("without an account, the program has read %q", got)
	}
}

// A stored machine contains no valid token.
func TestToken_IsNotStored(t *testing.T) {
	t.Parallel()
	w := reader(t, "60")
	w.Sign = signature
	w.Live(30 * time.Second)
	if o := w.Command("c", "cat /vault/token"); string(o.Stdout) != "vault+0s " {
		t.Fatalf("the token is %q", o.Stdout)
	}
	m, err := memory.Decode(w.Memory)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := emulator.Decode(m.Machine, podtest.Images)
	if err != nil {
		t.Fatal(err)
	}
	if token, err := stored.ReadFile("vault", "token"); err != nil || len(token) > 0 {
		t.Errorf("stored is %q, %v", token, err)
	}
}

// logged are the lines that the container has written by now, each once.
func logged(w *podtest.World) (lines []string) {
	log, _ := w.Machine().Logs("c", "")
	for _, l := range log.Lines {
		lines = append(lines, l.Text)
	}
	return lines
}
