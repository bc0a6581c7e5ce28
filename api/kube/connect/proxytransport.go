package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/outage"
)

const (
	// maxServedBody limits the body of a request to a Pod, maxServedHeader its headers, in bytes,
	// because they become part of the Pod's state for a moment.
	maxServedBody   = 1 << 20
	maxServedHeader = 64 << 10
)

var (
	errServedBody   = apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("the body of a request to a Pod is limited to %d bytes", maxServedBody))
	errServedHeader = &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusRequestHeaderFieldsTooLarge, Reason: metav1.StatusReasonBadRequest,
		Message: fmt.Sprintf("the headers of a request to a Pod are limited to %d bytes", maxServedHeader),
	}}
)

// errNotHTTP is the error of a port whose program accepts connections but whose protocol is not
// emulated.
var errNotHTTP = errors.New("rowlock: the program accepts connections on this port, but its protocol is not emulated")

// podTransport sends HTTP requests to a port of a Pod.
type podTransport struct {
	*Handler
	pod  *object.Version
	port int
}

// RoundTrip implements http.RoundTripper.
func (t *podTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	pod := t.pod.Object().(*corev1.Pod)
	address := net.JoinHostPort(pod.Status.PodIP, strconv.Itoa(t.port))
	if node := t.node(pod); node == nil || outage.Silent(node) {
		return nil, errors.New("dial tcp " + address + ": i/o timeout") // the node or the Pod is down: no refusal, only silence
	}
	q, err := queryOf(req, t.port)
	if err != nil {
		return nil, err
	}
	q.Address, q.TLS = pod.Status.PodIP, req.URL.Scheme == "https"
	a, err := t.Inside.Serve(req.Context(), t.pod, q)
	if err != nil {
		return nil, err
	}
	switch a.Outcome {
	case emulator.OutcomeOK:
		return responseOf(req, a), nil
	case emulator.OutcomeRefused:
		return nil, errors.New("dial tcp " + address + ": connect: connection refused")
	case emulator.OutcomeTimeout:
		return nil, errNotHTTP
	case emulator.OutcomeReset:
		return nil, errors.New("read tcp " + address + ": read: connection reset by peer")
	case emulator.OutcomePlain:
		return nil, errors.New("http: server gave HTTP response to HTTPS client")
	case emulator.OutcomeUnreachable, emulator.OutcomeNoName, emulator.OutcomeNoServer, emulator.OutcomeServFail, emulator.OutcomeIssuer, emulator.OutcomeName:
	}
	return nil, errors.New("dial tcp " + address + ": connect: no route to host")
}

// portOf parses a port number; "" is the default port of the scheme. As in Go, a few service names
// are known.
//
// Differs: upstream's server answers 500 for a name.
func portOf(port string, secure bool) (int, error) {
	switch {
	case port == "" && secure, port == "https":
		return 443, nil
	case port == "", port == "http":
		return 80, nil
	}
	n, err := strconv.Atoi(port)
	switch {
	case err != nil:
		return 0, fmt.Errorf("dial tcp: lookup tcp/%s: unknown port", port)
	case n < 0 || n > 65535:
		return 0, fmt.Errorf("dial tcp: address %s: invalid port", port)
	}
	return n, nil
}

// queryOf converts a request for a Pod's programs. It reads the body, whose size has been checked.
func queryOf(req *http.Request, port int) (emulator.Query, error) {
	q := emulator.Query{
		Kind: emulator.QueryHTTP, Port: port, Method: emulator.Text(req.Method), Host: emulator.Text(req.Host), Path: emulator.Text(req.URL.RequestURI()),
	}
	for name, values := range req.Header {
		for _, value := range values {
			q.Header = append(q.Header, name+": "+value)
		}
	}
	slices.Sort(q.Header)
	if req.Body == nil {
		return q, nil
	}
	body, err := io.ReadAll(req.Body)
	q.Body = emulator.Text(body)
	return q, err
}

// bound reads the body of a request to a Pod, and rejects a request that is too large with 413 or
// 431.
func bound(req *http.Request) error {
	size := 0
	for name, values := range req.Header {
		for _, value := range values {
			size += len(name) + len(value)
		}
	}
	if size > maxServedHeader {
		return errServedHeader
	}
	if req.Body == nil || req.Body == http.NoBody {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxServedBody+1))
	switch {
	case err != nil:
		return apierrors.NewBadRequest("cannot read the body: " + err.Error())
	case len(body) > maxServedBody:
		return errServedBody
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

// responseOf converts a program's answer.
func responseOf(req *http.Request, a emulator.Answer) *http.Response {
	if a.Status < http.StatusOK || a.Status > 999 { // invalid, or only an informational answer
		a = emulator.Answer{Status: http.StatusBadGateway}
	}
	res := &http.Response{
		Status: strconv.Itoa(a.Status) + " " + http.StatusText(a.Status), StatusCode: a.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(a.Body))), ContentLength: int64(len(a.Body)), Request: req,
	}
	for _, h := range a.Header {
		name, value, _ := strings.Cut(h, ":")
		res.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	if req.Method == http.MethodHead {
		res.Body = http.NoBody
	}
	if req.Header.Get("Sec-Fetch-Mode") != "" {
		for _, name := range ofOrigin {
			res.Header.Del(name)
		}
	}
	return res
}

// ofOrigin lists headers that affect a browser's whole origin, which is this server's and not the
// program's. They are removed from answers to browsers only.
var ofOrigin = []string{
	"Alt-Svc", "Clear-Site-Data", "Nel", "Report-To", "Reporting-Endpoints", "Service-Worker-Allowed", "Set-Cookie",
	"Strict-Transport-Security",
}

// noUpgrade forwards a request to upgrade the connection, which no emulated program accepts.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/proxy/upgradeaware.go, tryUpgrade
type noUpgrade struct {
	http.RoundTripper
	protocol string
	reply    *proxyReply
}

// RoundTrip implements http.RoundTripper.
func (t *noUpgrade) RoundTrip(req *http.Request) (*http.Response, error) {
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", t.protocol)
	res, err := t.RoundTripper.RoundTrip(req)
	if err == nil && res.StatusCode < http.StatusBadRequest {
		err = fmt.Errorf("invalid upgrade response: status code %d", res.StatusCode)
	}
	if err != nil {
		t.reply.instead = wire.UnknownFailure(err.Error())
		return nil, err
	}
	return res, nil
}

// proxyReply answers for a proxy that gets no answer.
type proxyReply struct {
	*Handler
	instead error // if not nil, the error to answer with instead
}

// Error answers with the Status of an error.
func (p *proxyReply) Error(w http.ResponseWriter, req *http.Request, err error) {
	if p.instead != nil {
		err = p.instead
	}
	p.Refuse(w, req, err)
}
