package route

import (
	"context"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// InTime limits a route's verb to the "timeout" that the client requests. Watches and logs are not
// limited.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/endpoints/filters/request_deadline.go, withRequestDeadline
func InTime(r Route) Verb {
	if r.Verb == "watch" || r.Text || r.Any {
		return r.Serve
	}
	return func(w http.ResponseWriter, req *http.Request) error {
		asked := req.URL.Query().Get("timeout")
		if asked == "" || r.Verb == "list" && watches(req) {
			return r.Serve(w, req)
		}
		timeout, err := time.ParseDuration(asked)
		if err != nil {
			return apierrors.NewBadRequest("invalid timeout specified in the request URL - " + err.Error())
		}
		if timeout <= 0 {
			return r.Serve(w, req)
		}
		ctx, cancel := context.WithTimeout(req.Context(), timeout)
		defer cancel()
		return r.Serve(w, req.WithContext(ctx))
	}
}

// watches reports whether a GET on a collection is a watch.
func watches(req *http.Request) bool {
	q := req.URL.Query()
	switch v := q.Get("watch"); v {
	case "0", "false":
		return false
	default:
		return q.Has("watch")
	}
}
