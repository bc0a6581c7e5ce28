package podclient

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/contain"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/store"
)

const (
	// patience is how long a request may take, in real time. streaming is the same for requests
	// that last: a watch or a followed log. It then ends, as a server may end it at any time, and
	// the program has what has arrived by then.
	patience  = 10 * time.Second
	streaming = time.Second
	// firstPort is the lowest port that a client draws.
	// Source: Linux, ip_local_port_range
	firstPort, ports = 32768, 28232
)

// names are the names in the server's certificate that Pods use.
//
// Source: kubernetes v1.36 cmd/kubeadm/app/util/pkiutil/pki_helpers.go, GetAPIServerAltNames
var names = []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local", "10.96.0.1", "10.0.0.1"}

// serve executes a request.
func (s *Server) serve(ctx context.Context, c store.APICall) (a emulator.Answer) {
	var q emulator.Query
	if json.Unmarshal(c.Query, &q) != nil {
		return emulator.Answer{Outcome: emulator.OutcomeReset}
	}
	if why := s.distrusts(q); why != emulator.OutcomeOK {
		return emulator.Answer{Outcome: why}
	}
	ctx, cancel := context.WithTimeout(auth.WithPod(ctx), patience)
	defer cancel()
	req := request(ctx, q)
	if req == nil {
		return emulator.Answer{
			Status: http.StatusBadRequest, Header: []string{"Content-Type: text/plain; charset=utf-8", "Connection: close"},
			Body: "400 Bad Request",
		}
	}
	if lasts(req.URL) {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, streaming)
		defer end()
		req = req.WithContext(ctx)
	}
	w := &recorder{header: http.Header{}, full: cancel}
	if err := contain.Call(func() error { s.Handler.ServeHTTP(w, req); return nil }); err != nil {
		return emulator.Answer{Outcome: emulator.OutcomeReset} // the handler has cut the connection, or panics outside of its recovery
	}
	return w.answer(q, lasts(req.URL))
}

// distrusts returns why a client refuses the server's certificate: it knows none of the
// authorities, or the name differs. It returns OutcomeOK if it accepts.
func (s *Server) distrusts(q emulator.Query) emulator.Outcome {
	if !q.Verify {
		return emulator.OutcomeOK
	}
	if s.Authorities == "" && q.Roots == "" || s.Authorities != "" && !share(q.Roots, emulator.Text(s.Authorities)) {
		return emulator.OutcomeIssuer
	}
	host := string(q.Host)
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !slices.Contains(names, strings.ToLower(strings.TrimSuffix(host, "."))) {
		return emulator.OutcomeName
	}
	return emulator.OutcomeOK
}

// share reports whether two lists of certificates, in PEM, have one in common.
func share(a, b emulator.Text) bool {
	certificates := func(list emulator.Text) (all []string) {
		for rest := []byte(list); ; {
			var block *pem.Block
			if block, rest = pem.Decode(rest); block == nil {
				return all
			}
			all = append(all, string(block.Bytes))
		}
	}
	theirs := certificates(b)
	return slices.ContainsFunc(certificates(a), func(c string) bool { return slices.Contains(theirs, c) })
}

// request returns a program's request as a server has it; nil for an invalid one. Only its token
// identifies the client: no certificate comes with it, and the connection cannot be upgraded.
func request(ctx context.Context, q emulator.Query) *http.Request {
	path, err := url.ParseRequestURI(string(q.Path))
	if err != nil || path.Host != "" || !strings.HasPrefix(string(q.Path), "/") {
		return nil
	}
	path.Scheme, path.Host = "https", string(q.Host)
	req, err := http.NewRequestWithContext(ctx, string(q.Method), path.String(), strings.NewReader(string(q.Body)))
	if err != nil {
		return nil
	}
	if q.Body == "" {
		req.Body = http.NoBody
	}
	for _, line := range q.Header {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil
		}
		req.Header.Add(name, value)
	}
	for _, name := range []string{"Connection", "Upgrade", "Transfer-Encoding", "Content-Length", "Accept-Encoding"} {
		req.Header.Del(name)
	}
	req.URL.Scheme, req.URL.Host = "", "" // as a server has it
	req.Host, req.RequestURI, req.TLS = string(q.Host), string(q.Path), &tls.ConnectionState{}
	req.RemoteAddr = net.JoinHostPort(q.From, strconv.Itoa(firstPort+q.ID%ports))
	return req
}

// lasts reports whether a request asks for an endless answer.
func lasts(u *url.URL) bool {
	q := u.Query()
	return auth.Watches(q) || strings.Contains(u.Path, "/watch/") || q.Get("follow") != "" && q.Get("follow") != "false"
}
