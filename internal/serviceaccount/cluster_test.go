package serviceaccount_test

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/serviceaccount"
)

// TestToken_OfOneReplicaIsGoodAtAll: a token that one replica has made authenticates at each, until
// its account is gone.
func TestToken_OfOneReplicaIsGoodAtAll(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	first, second := clustertest.WithLogin(t, url), clustertest.WithLogin(t, url)
	accounts := first("root").CoreV1().ServiceAccounts("default")
	if _, err := accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "till"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := accounts.CreateToken(t.Context(), "till", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token := got.Status.Token
	me, err := second(token).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const till = "system:serviceaccount:default:till"
	if name := me.Status.UserInfo.Username; name != till {
		t.Errorf("the token shows %q", name)
	}
	review := func(audiences ...string) authenticationv1.TokenReviewStatus {
		t.Helper()
		answer, err := second("root").AuthenticationV1().TokenReviews().Create(t.Context(),
			&authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token, Audiences: audiences}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Status
	}
	if s := review(); !s.Authenticated || s.User.Username != till || len(s.Audiences) != 1 || s.Audiences[0] != serviceaccount.Issuer {
		t.Errorf("a good token is reviewed as %+v", s)
	}
	if s := review("vault"); s.Authenticated || s.Error == "" {
		t.Errorf("a token for others is reviewed as %+v", s)
	}
	if err := accounts.Delete(t.Context(), "till", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	// A replica knows of the deletion once it has answered a later read.
	if _, err := second("root").CoreV1().ServiceAccounts("default").Get(t.Context(), "till", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	if s := review(); s.Authenticated || !strings.Contains(s.Error, `serviceaccounts "till" not found`) {
		t.Errorf("a token of nobody's any more is reviewed as %+v", s)
	}
	_, err = second(token).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if !apierrors.IsUnauthorized(err) {
		t.Errorf("a token of nobody's any more gets %v", err)
	}
}

// TestToken_Forged: a changed token, or one that the server's key has not signed, gives no access.
func TestToken_Forged(t *testing.T) {
	t.Parallel()
	as := clustertest.WithLogin(t, pgtest.NewURL(t))
	accounts := as("root").CoreV1().ServiceAccounts("kube-system")
	if _, err := accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "till"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	got, err := accounts.CreateToken(t.Context(), "till", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(got.Status.Token, ".")
	header := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	another := header(strings.ReplaceAll(string(claims), "kube-system:till", "kube-system:generic-garbage-collector"))
	longer := header(regexp.MustCompile(`"exp":\d+`).ReplaceAllString(string(claims), `"exp":99999999999`))
	over := header(regexp.MustCompile(`"exp":\d+`).ReplaceAllString(string(claims), `"exp":1`))
	for name, token := range map[string]string{
		"unsigned":              header(`{"alg":"none"}`) + "." + parts[1] + ".",
		"unsigned, with kid":    header(`{"alg":"none","kid":"x"}`) + "." + parts[1] + "." + parts[2],
		"signed symmetrically":  header(`{"alg":"HS256"}`) + "." + parts[1] + "." + parts[2],
		"of another account":    parts[0] + "." + another + "." + parts[2],
		"of a longer life":      parts[0] + "." + longer + "." + parts[2],
		"expired":               parts[0] + "." + over + "." + parts[2],
		"with a key of its own": header(`{"alg":"RS256","jwk":{"kty":"RSA","n":"AQAB","e":"AQAB"}}`) + "." + parts[1] + "." + parts[2],
		"without signature":     parts[0] + "." + parts[1] + ".",
		"of two parts":          parts[0] + "." + parts[1],
	} {
		_, err := as(token).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if !apierrors.IsUnauthorized(err) {
			t.Errorf("a token %s gets %v", name, err)
		}
		answer, err := as("root").AuthenticationV1().TokenReviews().Create(t.Context(),
			&authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}, metav1.CreateOptions{})
		if err != nil || answer.Status.Authenticated || answer.Status.User.Username != "" {
			t.Errorf("a token %s is reviewed as %+v, %v", name, answer.Status, err)
		}
	}
	if _, err := as(got.Status.Token).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{}); err != nil {
		t.Errorf("the token itself gets %v", err)
	}
}

// TestToken_Refused: a refused request for a token returns the reason.
func TestToken_Refused(t *testing.T) {
	t.Parallel()
	client := clustertest.WithLogin(t, pgtest.NewURL(t))("root")
	for _, name := range []string{"till", "shop"} {
		if _, err := client.CoreV1().ServiceAccounts("default").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec:       corev1.PodSpec{ServiceAccountName: "shop", Containers: []corev1.Container{{Name: "c", Image: "nginx"}}},
	}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	bound := func(version, kind, name string) authenticationv1.TokenRequest {
		return authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{BoundObjectRef: &authenticationv1.BoundObjectReference{APIVersion: version, Kind: kind, Name: name}}}
	}
	old := bound("v1", "Pod", "p")
	old.Spec.BoundObjectRef.UID = "x"
	for _, c := range []struct {
		account string
		request authenticationv1.TokenRequest
		want    string
	}{
		{"none", authenticationv1.TokenRequest{}, `serviceaccounts "none" not found`},
		{
			"shop", authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: new(int64(599))}},
			`TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: ` +
				`may not specify a duration less than 10 minutes`,
		},
		{
			"shop",
			authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: new(int64(1<<32 + 1))}},
			`TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: ` +
				`may not specify a duration larger than 2^32 seconds`,
		},
		{
			"shop", authenticationv1.TokenRequest{ObjectMeta: metav1.ObjectMeta{Name: "other"}},
			`TokenRequest.authentication.k8s.io "shop" is invalid: metadata.name: Invalid value: "other": ` +
				`must match the service account name if specified`,
		},
		{"shop", authenticationv1.TokenRequest{ObjectMeta: metav1.ObjectMeta{UID: "x"}}, `does not match the UID of the service account`},
		{"shop", bound("v1", "Pod", "none"), `pods "none" not found`},
		{"shop", bound("apps/v1", "Deployment", "d"), "cannot bind token to object of type apps/v1, Kind=Deployment"},
		{"till", bound("v1", "Pod", "p"), `cannot bind token for serviceaccount "till" to pod running with different serviceaccount name.`},
		{"shop", old, "the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated"},
	} {
		_, err := client.CoreV1().ServiceAccounts("default").CreateToken(t.Context(), c.account, &c.request, metav1.CreateOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %+v: %v, want %q", c.account, c.request.Spec, err, c.want)
		}
	}
}

// TestToken_OfAPod: the token in a Pod gives access to the API while the Pod exists.
func TestToken_OfAPod(t *testing.T) {
	t.Parallel()
	as := clustertest.WithLogin(t, pgtest.NewURL(t))
	pods := as("root").CoreV1().Pods("default")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Spec: corev1.PodSpec{
		TerminationGracePeriodSeconds: new(int64(0)), RestartPolicy: corev1.RestartPolicyNever,
		Containers: []corev1.Container{{Name: "c", Image: "busybox", Command: []string{"cat", "/var/run/secrets/kubernetes.io/serviceaccount/token"}}},
	}}
	made, err := pods.Create(t.Context(), pod, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	watching, err := pods.Watch(t.Context(), metav1.ListOptions{ResourceVersion: made.ResourceVersion, FieldSelector: "metadata.name=reader"})
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Stop()
	for e := range watching.ResultChan() {
		if p, ok := e.Object.(*corev1.Pod); !ok || p.Status.Phase == corev1.PodSucceeded {
			break
		}
	}
	token, err := pods.GetLogs("reader", &corev1.PodLogOptions{}).DoRaw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	whoAmI := func() (authenticationv1.UserInfo, error) {
		me, err := as(string(token)).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if err != nil {
			return authenticationv1.UserInfo{}, err
		}
		return me.Status.UserInfo, nil
	}
	me, err := whoAmI()
	if err != nil {
		t.Fatal(err)
	}
	extra := me.Extra["authentication.kubernetes.io/pod-uid"]
	if me.Username != "system:serviceaccount:default:default" || len(extra) != 1 || extra[0] != string(made.UID) || len(me.Extra["authentication.kubernetes.io/node-uid"]) != 1 {
		t.Errorf("the token shows %+v", me)
	}
	if err := pods.Delete(t.Context(), "reader", *metav1.NewDeleteOptions(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := pods.Get(t.Context(), "reader", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	if _, err := whoAmI(); !apierrors.IsUnauthorized(err) {
		t.Errorf("the token of a Pod that is gone gets %v", err)
	}
}

// TestToken_OfASecret: a Secret for a token gets one, and the token gives access until it is
// removed from the Secret or the account is deleted, and the Secret with it.
func TestToken_OfASecret(t *testing.T) {
	t.Parallel()
	as := clustertest.WithLogin(t, pgtest.NewURL(t))
	accounts, secrets := as("root").CoreV1().ServiceAccounts("default"), as("root").CoreV1().Secrets("default")
	if _, err := accounts.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "till"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	made, err := secrets.Create(t.Context(), &corev1.Secret{Type: corev1.SecretTypeServiceAccountToken,
		ObjectMeta: metav1.ObjectMeta{Name: "s", Annotations: map[string]string{corev1.ServiceAccountNameKey: "till"}}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	watched, err := secrets.Watch(t.Context(), metav1.ListOptions{ResourceVersion: made.ResourceVersion, FieldSelector: "metadata.name=s"})
	if err != nil {
		t.Fatal(err)
	}
	defer watched.Stop()
	filled, ok := (<-watched.ResultChan()).Object.(*corev1.Secret)
	if !ok || string(filled.Data["namespace"]) != "default" || filled.Annotations[corev1.ServiceAccountUIDKey] == "" {
		t.Fatalf("the Secret is %+v", filled)
	}
	token := string(filled.Data["token"])
	me, err := as(token).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil || me.Status.UserInfo.Username != "system:serviceaccount:default:till" {
		t.Errorf("the token shows %+v, %v", me, err)
	}
	used, err := secrets.Get(t.Context(), "s", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if day, err := time.Parse(time.DateOnly, used.Labels[serviceaccount.LastUsed]); err != nil || day.Before(made.CreationTimestamp.UTC().Truncate(24*time.Hour)) {
		t.Errorf("the Secret has the labels %v", used.Labels)
	}
	if !slices.ContainsFunc(used.ManagedFields, func(e metav1.ManagedFieldsEntry) bool {
		return e.Manager == "kube-apiserver" && strings.Contains(e.FieldsV1.String(), serviceaccount.LastUsed)
	}) {
		t.Errorf("the label is owned by %v", used.ManagedFields)
	}
	used.Labels[serviceaccount.InvalidSince], used.Labels[serviceaccount.LastUsed] = "2026-01-01", "2026-01-01"
	if _, err := secrets.Update(t.Context(), used, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := secrets.Get(t.Context(), "s", metav1.GetOptions{}); err != nil { // now the replica knows of it
		t.Fatal(err)
	}
	if _, err := as(token).AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{}); !apierrors.IsUnauthorized(err) {
		t.Errorf("a token that is marked invalid gets %v", err)
	}
	if used, err = secrets.Get(t.Context(), "s", metav1.GetOptions{}); err != nil || used.Labels[serviceaccount.LastUsed] == "2026-01-01" {
		t.Errorf("after the use of a token that is marked, the Secret has the labels %v, %v", used.Labels, err)
	}
	if err := accounts.Delete(t.Context(), "till", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for e := range watched.ResultChan() {
		if e.Type == watch.Deleted {
			break
		}
	}
	answer, err := as("root").AuthenticationV1().TokenReviews().Create(t.Context(),
		&authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}, metav1.CreateOptions{})
	if err != nil || answer.Status.Authenticated || !strings.Contains(answer.Status.Error, "Token has been invalidated") {
		t.Errorf("the token of a Secret that is gone is reviewed as %+v, %v", answer.Status, err)
	}
}
