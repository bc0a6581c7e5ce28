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
	// maxServedBody bounds the body of a request to a Pod, maxServedHeader its headers, in bytes.
	// They become part of the Pod's state for a moment.
	maxServedBody   = 1 << 20
	maxServedHeader = 64 << 10
)

var (
	errServedBody   = apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("a request to a Pod may have a body of %d bytes", maxServedBody))
	errServedHeader = &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusRequestHeaderFieldsTooLarge, Reason: metav1.StatusReasonBadRequest,
		Message: fmt.Sprintf("a request to a Pod may have headers of %d bytes", maxServedHeader),
	}}
)

// errNotHTTP is the answer of a port whose program takes connections and whose protocol is not
// emulated.
var errNotHTTP = errors.New("rowlock: the program takes connections on this port, but its protocol is not emulated")

// podTransport is a port of a Pod as where HTTP requests go.
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
		return nil, errors.New("dial tcp " + address + ": i/o timeout") // whether the node or the Pod is down: nobody refuses
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

// portOf is a port by its number; "" is that of the scheme. A few names of the table of services
// are known, as they are to Go.
//
// Differs: upstream's server answers 500 to a name.
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

// queryOf is a request as a Pod's programs are asked. It reads the body, which has been bounded.
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

// bound reads the body of a request to a Pod, and refuses what is too large for one: with 413 or
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
		return apierrors.NewBadRequest("the body cannot be read: " + err.Error())
	case len(body) > maxServedBody:
		return errServedBody
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

// responseOf is a program's answer to a request.
func responseOf(req *http.Request, a emulator.Answer) *http.Response {
	if a.Status < http.StatusOK || a.Status > 999 { // there is no such answer, or it would only be the first
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

// ofOrigin are headers by which an answer says something to a browser about the whole origin, which
// is this server's and not the program's: they are kept from browsers, and from nobody else.
var ofOrigin = []string{"Alt-Svc", "Clear-Site-Data", "Nel", "Report-To", "Reporting-Endpoints", "Service-Worker-Allowed", "Set-Cookie", "Strict-Transport-Security"}

// noUpgrade passes on a request to upgrade the connection, which no emulated program does.
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
	instead error // is answered instead, if it is not nil
}

// Error answers with the Status of an error.
func (p *proxyReply) Error(w http.ResponseWriter, req *http.Request, err error) {
	if p.instead != nil {
		err = p.instead
	}
	p.Refuse(w, req, err)
}
