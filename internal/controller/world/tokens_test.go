package world_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/object"
)

// TestTokens: it knows the Secrets of accounts that are gone, whichever is seen first, and returns
// a limited number at a time.
func TestTokens(t *testing.T) {
	t.Parallel()
	tokens := world.NewTokens()
	w := &observed{observer: tokens, current: map[types.UID]*object.Version{}}
	account := func(name, uid string) *corev1.ServiceAccount {
		return &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(uid)}}
	}
	secret := func(name, account, uid string) *corev1.Secret {
		s := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name),
			Annotations: map[string]string{corev1.ServiceAccountNameKey: account}}, Type: corev1.SecretTypeServiceAccountToken}
		if uid != "" {
			s.Annotations[corev1.ServiceAccountUIDKey] = uid
		}
		return s
	}
	want := func(when, want string) {
		t.Helper()
		for range 2 {
			got, more := tokens.Orphans("shop", 2)
			if said := fmt.Sprint(got, more); said != want {
				t.Errorf("%s: %s, want %s", when, said, want)
			}
			w.reload() // has the same result, in any order
		}
	}
	w.see("secrets", object.Created, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "other", UID: "other"}, Type: corev1.SecretTypeOpaque})
	w.see("secrets", object.Created, secret("a", "till", ""))
	want("before the account", "[a] false")
	w.see("serviceaccounts", object.Created, account("till", "1"))
	want("with the account", "[] false")
	w.see("secrets", object.Updated, secret("a", "till", "1"))
	w.see("secrets", object.Created, secret("b", "till", "1"))
	w.see("serviceaccounts", object.Deleted, account("till", "1"))
	want("without the account", "[a b] false")
	w.see("serviceaccounts", object.Created, account("till", "2"))
	want("with another account of that name", "[a b] false")
	for i := range 100 {
		w.see("secrets", object.Created, secret(fmt.Sprint("c", i), "none", ""))
	}
	if got, more := tokens.Orphans("shop", 2); len(got) != 2 || !more {
		t.Errorf("of many: %v %t", got, more)
	}
	for i := range 100 {
		w.see("secrets", object.Deleted, secret(fmt.Sprint("c", i), "none", ""))
	}
	w.see("secrets", object.Deleted, secret("a", "till", "1"))
	want("without one", "[b] false")
}
