package kubelet

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
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/memory"
	"github.com/rowlock/rowlock/internal/reconcile/kubelet/token"
	"github.com/rowlock/rowlock/internal/reconcile/podsetup"
)

// reader is a Pod that writes its tokens to its log at this interval; one of them is for the vault.
func reader(t *testing.T, every string) *world {
	t.Helper()
	return withTokens(t, "while sleep "+every+"; do cat /api/token /vault/token; echo; done")
}

// withTokens is a Pod that runs a script and has two tokens.
func withTokens(t *testing.T, script string) *world {
	t.Helper()
	c := mounting(mounting(sh(script), "kube-api-access-x", "/api"), "vault", "/vault")
	pod := bound(c)
	volume := func(audience string, seconds int64) corev1.Volume {
		return corev1.Volume{VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "token", Audience: audience, ExpirationSeconds: &seconds}}}}}}
	}
	api, vault := volume("", 3607), volume("vault", 600)
	api.Name, vault.Name = "kube-api-access-x", "vault"
	pod.Spec.Volumes = append(pod.Spec.Volumes, api, vault)
	return &world{t: t, now: noon, pod: pod, around: podsetup.Surroundings{Account: &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", UID: "account"}}}}
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
	return []byte(of + "+" + time.Unix(said.Issued, 0).Sub(noon).String() + " "), true
}

// A token is as old as its file. A token with a short life is renewed in time; one that lasts for a
// year is renewed by a sync with another reason. Later readers of the log see the same tokens that
// the program saw.
func TestToken_IsRenewed(t *testing.T) {
	t.Parallel()
	w := reader(t, "240")
	w.sign = signature
	w.live(21 * time.Minute)
	var want []string
	for _, vault := range []string{"0s", "0s", "8m0s", "8m0s", "16m0s"} {
		want = append(want, "api+0s vault+"+vault+" ")
	}
	if diff := cmp.Diff(want, w.logged()); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}

// A Pod whose program reads a token waits until it can be signed; one that only has it does not.
func TestToken_WaitsForTheKey(t *testing.T) {
	t.Parallel()
	noKey := func([]byte) ([]byte, bool) { return nil, false }
	idle := withTokens(t, "while sleep 60; do ls -lL /api/token | awk '{print $5}'; done")
	idle.sign = noKey
	idle.live(time.Minute + time.Second)
	if size := strings.Join(idle.logged(), "|"); size != "1046" {
		t.Errorf("the token has %s bytes", size)
	}
	w := reader(t, "60")
	w.sign = noKey
	if p := Reconcile(w.snapshot()); !p.Retry || p.Memory != nil || len(p.Updates) > 0 {
		t.Errorf("the plan without a token is %s", p)
	}
	w.sign = signature
	w.live(time.Minute + time.Second)
	if got := strings.Join(w.logged(), "|"); got != "api+0s vault+0s " {
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
	idle.sign, idle.around.Account = whose, nil
	if p := Reconcile(idle.snapshot()); !p.Retry || len(p.Updates) == 0 {
		t.Errorf("the kubelet starts the Pod, and looks for the account again: %s", p)
	}

	w := withTokens(t, "cat /api/token; echo; sleep 600")
	account := w.around.Account
	w.sign, w.around.Account = whose, nil
	if p := Reconcile(w.snapshot()); !p.Retry || p.Memory != nil || len(p.Updates) > 0 {
		t.Errorf("the program reads a token without an account: %s", p)
	}
	w.now, w.around.Account = noon.Add(time.Second), account
	w.live(20 * time.Second)
	if got := w.logged(); !slices.Equal(got, []string{"uid=account"}) {
		t.Errorf("the program has read %q", got)
	}
	if p := Reconcile(w.snapshot()); p.Retry {
		t.Errorf("the kubelet still looks for the account: %s", p)
	}

	without := withTokens(t, "cat /api/token; echo; sleep 600")
	without.sign, without.around.Account, without.now = whose, nil, noon.Add(token.AccountWait)
	without.live(20 * time.Second)
	if got := without.logged(); !slices.Equal(got, []string{"uid="}) {
		t.Errorf("without an account, the program has read %q", got)
	}
}

// A stored machine contains no valid token.
func TestToken_IsNotStored(t *testing.T) {
	t.Parallel()
	w := reader(t, "60")
	w.sign = signature
	w.live(30 * time.Second)
	if o := w.command("c", "cat /vault/token"); string(o.Stdout) != "vault+0s " {
		t.Fatalf("the token is %q", o.Stdout)
	}
	m, err := memory.Decode(w.memory)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := emulator.Decode(m.Machine, images)
	if err != nil {
		t.Fatal(err)
	}
	if token, err := stored.ReadFile("vault", "token"); err != nil || len(token) > 0 {
		t.Errorf("stored is %q, %v", token, err)
	}
}

// logged are the lines that the container has written by now, each once.
func (w *world) logged() (lines []string) {
	log, _ := w.machine().Logs("c", "")
	for _, l := range log.Lines {
		lines = append(lines, l.Text)
	}
	return lines
}
