package podsetup

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A token says for whom it is, for how long, and which Pod on which node it belongs to. That of the volume that every Pod has is good for a
// year.
func TestToken_Claims(t *testing.T) {
	t.Parallel()
	const issuer = `"https://kubernetes.default.svc.cluster.local"`
	for _, c := range []struct {
		name    string
		token   corev1.ServiceAccountTokenProjection
		account *corev1.ServiceAccount
		want    string
	}{
		{"every Pod's", corev1.ServiceAccountTokenProjection{Path: "token", ExpirationSeconds: new(int64(3607))}, robot(),
			`{"aud":[` + issuer + `],"exp":1798984800,"iat":1767448800,"iss":` + issuer + `,"jti":"e151bd04-888d-5319-a71d-e67c1dda7842",` +
				`"kubernetes.io":{"namespace":"shop","node":{"name":"node-1","uid":"n-1"},"pod":{"name":"web-1","uid":"u-1"},` +
				`"serviceaccount":{"name":"robot","uid":"r-1"},"warnafter":1767452407},"nbf":1767448800,"sub":"system:serviceaccount:shop:robot"}`},
		{"for others", corev1.ServiceAccountTokenProjection{Path: "vault", Audience: "vault", ExpirationSeconds: new(int64(600))}, robot(),
			`{"aud":["vault"],"exp":1767449400,"iat":1767448800,"iss":` + issuer + `,"jti":"e3e595b1-2ae4-55dd-a77d-93c9e5b7922b",` +
				`"kubernetes.io":{"namespace":"shop","node":{"name":"node-1","uid":"n-1"},"pod":{"name":"web-1","uid":"u-1"},` +
				`"serviceaccount":{"name":"robot","uid":"r-1"}},"nbf":1767448800,"sub":"system:serviceaccount:shop:robot"}`},
		{"of no account", corev1.ServiceAccountTokenProjection{Path: "token"}, nil,
			`{"aud":[` + issuer + `],"exp":1767452400,"iat":1767448800,"iss":` + issuer + `,"jti":"587298ae-aeb9-51b3-9816-a58189b4fc70",` +
				`"kubernetes.io":{"namespace":"shop","node":{"name":"node-1","uid":"n-1"},"pod":{"name":"web-1","uid":"u-1"},` +
				`"serviceaccount":{"name":"robot"}},"nbf":1767448800,"sub":"system:serviceaccount:shop:robot"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pod, around := world()
			around.Node.Name, around.Node.UID, around.Account = "node-1", "n-1", c.account
			around.Issued = func(Token) int64 { return time.Date(2026, 1, 3, 14, 0, 0, 0, time.UTC).Unix() }
			files, err := Content(pod, &corev1.Volume{VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
				Sources: []corev1.VolumeProjection{{ServiceAccountToken: &c.token}}}}}, around)
			if err != nil || len(files) != 1 || files[0].Path != c.token.Path || files[0].Data != nil {
				t.Fatal(files, err)
			}
			if got := string(files[0].Claims); got != c.want {
				t.Errorf("claims\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func robot() *corev1.ServiceAccount {
	return &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "robot", UID: "r-1"}}
}

// A token is renewed after four fifths of its life, or after a day.
func TestToken_Renewal(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]int64{600: 480, 3607: 2885, 30 * 3600: 24 * 3600, 7 * 24 * 3600: 24 * 3600} {
		if got := (Token{Seconds: seconds, Issued: 1000}).Renewal().Unix() - 1000; got != want {
			t.Errorf("one of %d seconds after %d, want %d", seconds, got, want)
		}
	}
}
