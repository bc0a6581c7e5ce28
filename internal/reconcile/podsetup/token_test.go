package podsetup

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A token names its audience, its lifetime, and its Pod and node. The token in the volume that
// every Pod has is valid for a year.
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

// Only the user that all containers run as, or the group of the volumes, can read a token's file.
// Source: kubernetes v1.36 test/e2e/auth/service_accounts.go, should set ownership and permission when RunAsUser or FsGroup is present
func TestToken_Owner(t *testing.T) {
	t.Parallel()
	as := func(users ...int64) (containers []corev1.Container) {
		for _, u := range users {
			c := corev1.Container{SecurityContext: &corev1.SecurityContext{RunAsUser: &u}}
			if u < 0 {
				c.SecurityContext = nil
			}
			containers = append(containers, c)
		}
		return containers
	}
	for _, c := range []struct {
		name string
		spec corev1.PodSpec
		uid  int64
		mode int32
	}{
		{"nobody's", corev1.PodSpec{Containers: as(-1)}, 0, 0o644},
		{"the user's", corev1.PodSpec{Containers: as(1000, 1000)}, 1000, 0o600},
		{"two users", corev1.PodSpec{Containers: as(1000, 1001)}, 0, 0o644},
		{"the Pod's user", corev1.PodSpec{Containers: as(-1), SecurityContext: &corev1.PodSecurityContext{RunAsUser: new(int64(7))}}, 7, 0o600},
		{"one container's own user", corev1.PodSpec{InitContainers: as(8), Containers: as(-1), SecurityContext: &corev1.PodSecurityContext{RunAsUser: new(int64(7))}}, 0, 0o644},
		{"the group's", corev1.PodSpec{Containers: as(-1), SecurityContext: &corev1.PodSecurityContext{FSGroup: new(int64(9))}}, 0, 0o600},
	} {
		f := tokenFile(&corev1.Pod{Spec: c.spec}, "token", 0o644, nil)
		if f.UID != c.uid || f.Mode != c.mode {
			t.Errorf("%s: of %d with %o, want %d with %o", c.name, f.UID, f.Mode, c.uid, c.mode)
		}
	}
}
