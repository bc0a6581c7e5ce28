package serviceaccount_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// TestClaims_Judge: a token is valid until it expires, its account is deleted, or what it is bound
// to is.
func TestClaims_Judge(t *testing.T) {
	t.Parallel()
	type cluster map[string]metav1.Object
	object := func(uid types.UID) *corev1.Pod { return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: uid}} }
	deleted := func(uid types.UID, ago time.Duration) *corev1.Pod {
		o := object(uid)
		o.DeletionTimestamp = &metav1.Time{Time: noon.Add(-ago)}
		return o
	}
	const account, pod, node, secret = "serviceaccounts shop/till", "pods shop/till-0", "nodes /n1", "secrets shop/s"
	toNode := func(c *serviceaccount.Claims) { c.Pod = nil }
	toSecret := func(c *serviceaccount.Claims) {
		c.Pod, c.Node, c.Secret = nil, nil, &serviceaccount.Ref{Name: "s", UID: "s"}
	}
	for name, c := range map[string]struct {
		after  time.Duration // since it was issued
		change func(*serviceaccount.Claims)
		but    cluster // what differs from the usual
		want   string
	}{
		"holds":                       {},
		"holds to the end":            {after: time.Hour + 59*time.Second},
		"has ended":                   {after: time.Hour + 61*time.Second, want: "service account token has expired"},
		"begins":                      {after: -59 * time.Second},
		"has not begun":               {after: -61 * time.Second, want: "service account token is not valid yet"},
		"account is gone":             {but: cluster{account: nil}, want: `serviceaccounts "till" not found`},
		"account is another":          {but: cluster{account: object("b")}, want: "service account UID (b) does not match claim (a)"},
		"account is being deleted":    {but: cluster{account: deleted("a", 59*time.Second)}},
		"account was deleted":         {but: cluster{account: deleted("a", 61*time.Second)}, want: "service account shop/till has been deleted"},
		"Pod is gone":                 {but: cluster{pod: nil}, want: "service account token has been invalidated"},
		"Pod is another":              {but: cluster{pod: object("q")}, want: "pod UID (q) does not match service account pod ref claim (p)"},
		"Pod was deleted":             {but: cluster{pod: deleted("p", 2*time.Minute)}, want: "service account token has been invalidated"},
		"Pod's node is gone":          {but: cluster{node: nil}},
		"bound to a node":             {change: toNode},
		"bound to a node that went":   {change: toNode, but: cluster{node: nil}, want: "service account token has been invalidated"},
		"bound to another node":       {change: toNode, but: cluster{node: object("m")}, want: "node UID (m) does not match service account node ref claim (n)"},
		"bound to a Secret":           {change: toSecret},
		"bound to a Secret that went": {change: toSecret, but: cluster{secret: nil}, want: "service account token has been invalidated"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := cluster{account: object("a"), pod: object("p"), node: object("n"), secret: object("s")}
			for key, o := range c.but {
				there[key] = o
			}
			token := claims()
			if c.change != nil {
				c.change(&token)
			}
			got := ""
			if err := token.Judge(noon.Add(c.after), noon, func(resource, namespace, name string) metav1.Object {
				return there[resource+" "+namespace+"/"+name]
			}); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestClaims_JudgeLegacy: the token of a Secret is valid while the Secret holds it and its account
// exists.
func TestClaims_JudgeLegacy(t *testing.T) {
	t.Parallel()
	k := key(t, 0)
	signed := func(uid types.UID) string {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "till", UID: uid}}
		token, err := k.SignPayload(serviceaccount.LegacyPayload(account, "s"))
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	token := signed("a")
	claims, err := k.Verify(token)
	if err != nil {
		t.Fatal(err)
	}
	if id := claims.Identity(); id.Name != "system:serviceaccount:shop:till" || id.UID != "a" || len(id.Extra) > 0 || claims.Audiences[0] != serviceaccount.Issuer {
		t.Errorf("it shows %+v", id)
	}
	gone := &metav1.Time{Time: noon}
	for name, c := range map[string]struct {
		secret  func(*corev1.Secret)
		account func(*corev1.ServiceAccount)
		want    string
	}{
		"holds":                    {},
		"Secret is being deleted":  {secret: func(s *corev1.Secret) { s.DeletionTimestamp = gone }, want: "Token has been invalidated"},
		"Secret has another token": {secret: func(s *corev1.Secret) { s.Data["token"] = []byte(signed("b")) }, want: "Token does not match server's copy"},
		"Secret has none":          {secret: func(s *corev1.Secret) { s.Data = nil }, want: "Token does not match server's copy"},
		"account is another":       {account: func(a *corev1.ServiceAccount) { a.UID = "b" }, want: "ServiceAccount UID (b) does not match claim (a)"},
		"account is being deleted": {account: func(a *corev1.ServiceAccount) { a.DeletionTimestamp = gone }, want: "ServiceAccount shop/till has been deleted"},
		"marked": {secret: func(s *corev1.Secret) { s.Labels = map[string]string{serviceaccount.InvalidSince: "2026-01-01"} },
			want: "the token in secret shop/s for service account shop/till has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, " +
				"or remove the 'kubernetes.io/legacy-token-invalid-since' label from the secret to temporarily allow use of this token"},
	} {
		secret := &corev1.Secret{Data: map[string][]byte{"token": []byte(token)}}
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{UID: "a"}}
		if c.secret != nil {
			c.secret(secret)
		}
		if c.account != nil {
			c.account(account)
		}
		got := ""
		if err := claims.Judge(noon, noon, func(resource, _, _ string) metav1.Object {
			if resource == "secrets" {
				return secret
			}
			return account
		}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if err := claims.Judge(noon, noon, func(string, string, string) metav1.Object { return nil }); err == nil || err.Error() != "Token has been invalidated" {
		t.Errorf("without the Secret: %v", err)
	}
}

// TestLastUsedOn: a Secret is labelled once a day, and keeps the label of a replica whose clock is
// slightly ahead.
func TestLastUsedOn(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{"": "2026-03-04", "2026-03-03": "2026-03-04", "2026-03-04": "", "2026-03-05": "", "2026-03-06": "2026-03-04", "x": "2026-03-04"} {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{serviceaccount.LastUsed: label}}}
		if got := serviceaccount.LastUsedOn(secret, noon.In(time.FixedZone("", -14*3600))); got != want {
			t.Errorf("on a Secret with %q: %q, want %q", label, got, want)
		}
	}
}
