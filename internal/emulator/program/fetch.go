package program

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Fetch gets a URL, and follows redirects if Follow is set.
type Fetch struct {
	URL     kernel.Text
	Method  kernel.Text
	Header  kernel.Texts `json:",omitempty"`
	Body    kernel.Text  `json:",omitempty"`
	Verify  bool         `json:",omitempty"` // TLS servers; see kernel.Query
	Roots   kernel.Text  `json:",omitempty"`
	Follow  int          `json:",omitempty"` // how many redirects at most
	Timeout time.Duration

	Name   *Resolve       `json:",omitempty"`
	Sent   bool           `json:",omitempty"`
	Due    time.Duration  `json:",omitempty"` // when it gives up waiting for the answer
	Waits  time.Duration  `json:",omitempty"` // the same, once it is known that no answer will come
	Host   string         `json:",omitempty"`
	Port   int            `json:",omitempty"`
	Hops   int            `json:",omitempty"`
	Done   bool           `json:",omitempty"`
	Failed fetchError     `json:",omitempty"`
	Answer *kernel.Answer `json:",omitempty"`
}

// fetchError is why there is no answer to an HTTP request.
type fetchError string

// The reasons.
const (
	fetchBadURL      fetchError = "url"
	fetchBadScheme   fetchError = "scheme"
	fetchNoName      fetchError = "name"
	fetchRefused     fetchError = "refused"
	fetchUnreachable fetchError = "unreachable"
	fetchTimeout     fetchError = "timeout"
	fetchReset       fetchError = "reset"
	fetchLoops       fetchError = "loops"
	fetchIssuer      fetchError = "issuer"
	fetchWrongName   fetchError = "wrong-name"
	fetchPlain       fetchError = "plain"
)

// fetchErrors are the errors for failed connections.
var fetchErrors = map[kernel.Outcome]fetchError{
	kernel.OutcomeRefused:     fetchRefused,
	kernel.OutcomeUnreachable: fetchUnreachable,
	kernel.OutcomeReset:       fetchReset,
	kernel.OutcomeIssuer:      fetchIssuer,
	kernel.OutcomeName:        fetchWrongName,
	kernel.OutcomePlain:       fetchPlain,
}

// next continues; until there is an answer, it returns false and what to wait for. It calls
// connecting before each request.
func (f *Fetch) next(p *kernel.Process, connecting func()) (kernel.Wait, bool) {
	for !f.Done {
		if f.Waits > 0 {
			if p.Since() < f.Waits {
				return kernel.Wait{For: kernel.Time, Until: f.Waits}, false
			}
			f.fail(fetchTimeout)
			break
		}
		u, ok := f.parse()
		if !ok {
			break
		}
		if f.Name == nil {
			f.Host, f.Port = u.Hostname(), 80
			if u.Scheme == "https" {
				f.Port = 443
			}
			if n, err := strconv.Atoi(u.Port()); err == nil {
				f.Port = n
			}
			f.Name = &Resolve{Name: kernel.Text(f.Host)}
		}
		if w, ok := f.Name.next(p); !ok {
			return w, false
		}
		if len(f.Name.Addresses) == 0 {
			f.fail(fetchNoName)
			break
		}
		if !f.Sent {
			f.Sent = true
			connecting()
			f.Due = p.In(f.Timeout)
			w := p.Ask(f.request(u))
			w.Until = f.Due
			return w, false
		}
		a := p.Answer()
		if a == nil && f.Due > 0 && p.Since() >= f.Due {
			f.fail(fetchTimeout)
			break
		}
		if a == nil {
			return kernel.Wait{For: kernel.Answered, Until: f.Due}, false
		}
		f.answered(p, u, a)
	}
	return kernel.Wait{}, true
}

func (f *Fetch) parse() (*url.URL, bool) {
	text := string(f.URL)
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "":
		f.fail(fetchBadURL)
		return nil, false
	case u.Scheme != "http" && u.Scheme != "https":
		f.fail(fetchBadScheme)
		return nil, false
	}
	return u, true
}

func (f *Fetch) request(u *url.URL) kernel.Query {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	q := kernel.Query{
		Kind: kernel.QueryHTTP, Address: f.Name.first(), Port: f.Port, TLS: u.Scheme == "https",
		Method: f.Method, Host: kernel.Text(u.Host), Path: kernel.Text(path), Header: f.Header, Body: f.Body,
	}
	if q.TLS {
		q.Verify, q.Roots = f.Verify, f.Roots
	}
	return q
}

func (f *Fetch) fail(why fetchError) { f.Done, f.Failed = true, why }

func (f *Fetch) answered(p *kernel.Process, u *url.URL, a *kernel.Answer) {
	if a.Outcome == kernel.OutcomeTimeout {
		f.Waits = f.Due
		return
	}
	if why, failed := fetchErrors[a.Outcome]; failed {
		f.fail(why)
		return
	}
	if to := header(a, "Location"); to != "" && a.Status/100 == 3 && f.Follow > 0 {
		if f.Hops++; f.Hops > f.Follow {
			f.fail(fetchLoops)
			return
		}
		next, err := u.Parse(to)
		if err != nil {
			f.fail(fetchBadURL)
			return
		}
		f.URL, f.Name, f.Sent = kernel.Text(next.String()), nil, false
		if a.Status == 303 {
			f.Method, f.Body = "GET", ""
		}
		return
	}
	f.Done, f.Answer = true, a
}

// header returns a header of an answer; "" for none.
func header(a *kernel.Answer, name string) string {
	for _, h := range a.Header {
		if k, v, ok := strings.Cut(h, ":"); ok && strings.EqualFold(strings.TrimSpace(k), name) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// statusText returns the text that follows a status on the first line of an answer.
func statusText(status int) string {
	if text, ok := map[int]string{
		200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
		307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
		405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 429: "Too Many Requests", 500: "Internal Server Error",
		501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
	}[status]; ok {
		return text
	}
	return ""
}
