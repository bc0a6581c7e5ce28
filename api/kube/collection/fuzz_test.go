package collection

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
)

// FuzzContinue: a token that the server made is decoded unchanged; any other is rejected or points
// into the list.
func FuzzContinue(f *testing.F) {
	f.Add("default", "web", int64(7), "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Nywic3RhcnQiOiJ3ZWJcdTAwMDAifQ")
	f.Add("", "n", int64(-1), "")
	f.Fuzz(func(t *testing.T, namespace, name string, rev int64, token string) {
		if _, _, err := DecodeContinue(token, namespace, true); err != nil && !apierrors.IsBadRequest(err) {
			t.Errorf("%q gave %v, which is not a BadRequest", token, err)
		}
		names := len(content.IsPathSegmentName(name)) == 0 && name != "" && validUTF8(name)
		if !names || rev == 0 || namespace != "" && (len(content.IsPathSegmentName(namespace)) > 0 || !validUTF8(namespace)) {
			return
		}
		for _, all := range []bool{true, false} {
			within := namespace
			if all {
				within = ""
			}
			made := EncodeContinue(object.Key{Namespace: namespace, Name: name}, all, object.Revision(rev), all)
			key, token, err := DecodeContinue(made, within, namespace != "")
			if want := (object.Key{Namespace: namespace, Name: name + "\x00"}); err != nil || key != want || token.Revision != object.Revision(rev) || token.Exact != all {
				t.Errorf("%v at %d came back as %v, %+v, %v", want, rev, key, token, err)
			}
		}
	})
}

// validUTF8 reports whether a name survives JSON, as all names of objects do.
func validUTF8(s string) bool {
	for _, r := range s {
		if r == '�' {
			return false
		}
	}
	return true
}

// FuzzListOptions: selectors and options are valid or rejected with a Status.
func FuzzListOptions(f *testing.F) {
	f.Add("app=web,tier!=db", "metadata.name=x", "10", "0")
	f.Add("a in (b,c), !d", "spec.nodeName!=", "x", "-1")
	f.Add("a>1", `metadata.name=\,`, "", "99999999999999999999")
	r := render.New(core.ConfigMap, nil, nil)
	v := &object.Version{Type: &core.ConfigMap.Type, Namespace: "n", Name: "x"}
	v.SetBody([]byte(object.Prefix(&core.ConfigMap.Type) + `"name":"x"}}`))
	f.Fuzz(func(t *testing.T, labels, fields, limit, rev string) {
		query := url.Values{"labelSelector": {labels}, "fieldSelector": {fields}, "limit": {limit}, "resourceVersion": {rev}}
		opts, err := Options(httptest.NewRequest(http.MethodGet, "/?"+query.Encode(), nil))
		if err == nil {
			var sel Selection
			if sel, err = Select(&r, opts.LabelSelector, opts.FieldSelector); err == nil {
				sel.Matches(v)
				_, err = wire.ParseRevision(opts.ResourceVersion)
			}
		}
		if err != nil && apierrors.ReasonForError(err) == metav1.StatusReasonUnknown {
			t.Errorf("%v is no Status", err)
		}
	})
}
