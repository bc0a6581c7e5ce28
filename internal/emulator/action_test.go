package emulator

import (
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// TestJudge shows how probes and hooks, which send the same request, take the answers of another
// host. An empty text means success.
func TestJudge(t *testing.T) {
	t.Parallel()
	get := &Request{Scheme: "http", Host: "10.96.0.50", Port: 80, Path: "/ready"}
	for name, tt := range map[string]struct {
		answer         kernel.Answer
		get, tcp, hook string // substrings of their errors
	}{
		"answered":      {answer: kernel.Answer{Status: 200}},
		"redirected":    {answer: kernel.Answer{Status: 302}},
		"an error":      {answer: kernel.Answer{Status: 500}, get: "statuscode: 500"},
		"within a time": {answer: kernel.Answer{Status: 200, Took: 2 * time.Second}},
		"too late":      {answer: kernel.Answer{Status: 200, Took: 3 * time.Second}, get: "Client.Timeout exceeded", tcp: "i/o timeout"},
		"refused": {answer: kernel.Answer{Outcome: OutcomeRefused}, get: "connect: connection refused", tcp: "connect: connection refused",
			hook: `Get "http://10.96.0.50:80/ready": dial tcp 10.96.0.50:80: connect: connection refused`},
		"timed out":   {answer: kernel.Answer{Outcome: OutcomeTimeout}, get: "Client.Timeout exceeded", tcp: "i/o timeout", hook: "connection timed out"},
		"unreachable": {answer: kernel.Answer{Outcome: OutcomeUnreachable}, get: "no route to host", tcp: "no route to host", hook: "no route to host"},
		"reset":       {answer: kernel.Answer{Outcome: OutcomeReset}, get: "reset by peer", tcp: "reset by peer", hook: "reset by peer"},
		"no TLS": {answer: kernel.Answer{Outcome: OutcomePlain}, get: "server gave HTTP response to HTTPS client", tcp: "HTTP response",
			hook: `Get "http://10.96.0.50:80/ready": http: server gave HTTP response to HTTPS client`},
		"no name": {answer: kernel.Answer{Outcome: OutcomeNoName}, get: "no such host", tcp: "no such host", hook: "no such host"},
	} {
		probe := func(a Action) (said string) {
			r := (&Probe{Action: a, Host: get.Host, Timeout: 2 * time.Second}).judge(tt.answer)
			if r.ok != (r.message == "") {
				t.Errorf("%s: %t, but %q", name, r.ok, r.message)
			}
			return r.message
		}
		for what, said := range map[string][2]string{
			"an HTTP probe": {probe(Action{HTTP: get}), tt.get}, "a TCP probe": {probe(Action{TCP: 80}), tt.tcp}, "a hook": {get.refusal(tt.answer), tt.hook},
		} {
			if (said[0] == "") != (said[1] == "") || !strings.Contains(said[0], said[1]) {
				t.Errorf("%s: %s says %q, want %q", name, what, said[0], said[1])
			}
		}
	}
}

// TestHook_FallsBackToHTTP: the second request has neither TLS nor credentials. If it fails as
// well, the first failure counts.
func TestHook_FallsBackToHTTP(t *testing.T) {
	t.Parallel()
	const address = "10.96.0.50:443"
	for name, tt := range map[string]struct {
		second kernel.Answer
		want   []string
	}{
		"answered": {kernel.Answer{Status: 500}, []string{"2ms c plain request to HTTPS lifecycle hook " + address + " got HTTP response, retry with HTTP succeeded", "2ms c posted"}},
		"refused": {kernel.Answer{Outcome: OutcomeRefused}, []string{`2ms c post-error HTTP lifecycle hook (/up) for Container "c" in Pod %s failed - error: ` +
			`Get "https://` + address + `/up": http: server gave HTTP response to HTTPS client`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := begin(t)
			hook := Action{Elsewhere: true, HTTP: &Request{
				Scheme: "https", Host: "10.96.0.50", Port: 443, Path: "/up", Header: []string{"User-Agent: kube-lifecycle/1.36", "authorization: Bearer x"},
			}}
			if err := p.start("c", func(s *Spec) { s.Opaque, s.PostStart = &Opaque{Forever: true}, &hook }, "/app"); err != nil {
				t.Fatal(err)
			}
			for i, a := range []kernel.Answer{{Outcome: OutcomePlain}, tt.second} {
				p.run(time.Second)
				asked := p.m.Queries()
				if len(asked) != 1 || asked[0].TLS != (i == 0) || len(asked[0].Header) != 2-i || asked[0].Port != 443 {
					t.Fatalf("request %d: %+v", i, asked)
				}
				if err := p.m.Answer(p.m.Now(), asked[0].ID, a); err != nil {
					t.Fatal(err)
				}
			}
			p.run(time.Second)
			p.want(tt.want...)
		})
	}
}
