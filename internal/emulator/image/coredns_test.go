package image

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// named starts CoreDNS with a Corefile.
func named(t *testing.T, corefile string, env ...string) *container {
	t.Helper()
	b := begin(t, "registry.k8s.io/coredns/coredns:v1.12.1", corev1.Container{Args: words("-conf /Corefile")}, env...)
	for file, text := range map[string]string{"/Corefile": corefile, "/etc/resolv.conf": "search x\nnameserver 10.96.0.10\n", "/etc/hosts": "10.1.2.3 pod-1\n"} {
		if err := b.fs.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.run(time.Second)
	return b
}

// lookUp asks a name server; other servers answer 10.0.0.9 to its own queries.
func (b *container) lookUp(port int, name, record string) string {
	b.t.Helper()
	a := b.answer(kernel.Query{Kind: kernel.QueryDNS, Port: port, Name: kernel.Text(name), Record: record, From: "10.244.0.7"})
	if a.Later != 0 {
		b.run(time.Second)
		later, done := b.k.Reply(a.Later)
		if a = later; !done {
			return "no answer"
		}
	}
	return strings.TrimSpace(fmt.Sprint(a.Outcome, " ", strings.Join(append(a.Addresses, a.Records...), " ")))
}

// TestCoreDNS_Answers asks name servers with various Corefiles.
func TestCoreDNS_Answers(t *testing.T) {
	t.Parallel()
	const fallsThrough = "hosts {\n192.0.2.1 a.test b.test\n2001:db8::1 a.test\nfallthrough\n}"
	for _, tt := range []struct {
		name, corefile string
		port           int
		ask, record    string
		want           string
	}{
		{"an address", ". {\n hosts {\n\t192.0.2.1 a.test\n }\n log\n}", 53, "A.test", "A", "192.0.2.1"},
		{"both families", ". {\n" + fallsThrough + "\n}", 53, "a.test", "", "192.0.2.1 2001:db8::1"},
		{"the other family", ". {\n" + fallsThrough + "\n}", 53, "b.test", "AAAA", ""},
		{"the name of an address", ". {\n" + fallsThrough + "\n}", 53, "1.2.0.192.in-addr.arpa", "PTR", "a.test. b.test."},
		{"no names of addresses", ". {\n hosts {\n192.0.2.1 a.test\nno_reverse\n}\n}", 53, "1.2.0.192.in-addr.arpa", "PTR", "servfail"},
		{"of the container's own file", ". {\n hosts\n}", 53, "pod-1", "A", "10.1.2.3"},
		{"another name", ". {\n hosts {\n192.0.2.1 a.test\n}\n}", 53, "c.test", "A", "servfail"},
		{"another zone", "test {\n" + fallsThrough + "\n}", 53, "a.example", "A", "servfail"},
		{"the longer zone", ". {\nforward . 192.0.2.9\n}\ntest, b.test:53 {\n" + fallsThrough + "\n}", 53, "a.test", "A", "192.0.2.1"},
		{"another port", "dns://test:1053 {\n" + fallsThrough + "\n}", 53, "a.test", "A", "refused"},
		{"that port", "dns://test:1053 {\n" + fallsThrough + "\n}", 1053, "a.test", "A", "192.0.2.1"},
		{"forwarded", ". {\n forward . 192.0.2.9:54 {\n max_fails 3\n }\n" + fallsThrough + "\n}", 53, "c.test", "A", "10.0.0.9"},
		{"forwarded as the container itself asks", ". {\n forward . /etc/resolv.conf\n}", 53, "c.test", "A", "10.0.0.9"},
		{"not forwarded", ". {\n forward . 192.0.2.9 {\n except c.test\n }\n}", 53, "x.c.test", "A", "servfail"},
		{"of the cluster", ".:53 {\n kubernetes cluster.local in-addr.arpa {\n pods insecure\n }\n}", 53, "web.default.svc.cluster.local", "A", "10.0.0.9"},
		{"a Pod, which it does not tell", ".:53 {\n kubernetes cluster.local\n}", 53, "10-1-2-3.default.pod.cluster.local", "A", "nxdomain"},
		{"nothing", ". {\n whoami\n}", 53, "a.test", "A", ""},
		{"a variable", ". {\n hosts {\n{$ADDRESS} \"a.test\" # here\n}\n}", 53, "a.test", "A", "192.0.2.7"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := named(t, tt.corefile, "ADDRESS=192.0.2.7")
			if got := b.lookUp(tt.port, tt.ask, tt.record); got != tt.want {
				t.Errorf("%s %s is %q, want %q; log:\n%s", tt.ask, tt.record, got, tt.want, b.out.String())
			}
		})
	}
}

// TestCoreDNS_Log checks a name server's log: where it listens, what it does not do, which queries
// it gets, and how it ends.
func TestCoreDNS_Log(t *testing.T) {
	t.Parallel()
	b := named(t, ".:53 {\n health {\n lameduck 5s\n }\n ready\n errors\n rewrite name a b\n hosts {\n 192.0.2.1 a.test\n }\n log\n reload\n}\n")
	if got := b.get(8080, "/health") + b.get(8181, "/ready") + b.get(8181, "/x"); got != "200 OK200 OK404 404 page not found" {
		t.Errorf("health and readiness: %s", got)
	}
	b.lookUp(53, "a.test", "A")
	if err := b.fs.WriteFile("/Corefile", []byte(".:53 {\n hosts {\n 192.0.2.2 a.test\n }\n reload\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.run(time.Minute)
	if got := b.lookUp(53, "a.test", "A"); got != "192.0.2.2" {
		t.Errorf("after a reload a.test is %s", got)
	}
	b.signal(kernel.SIGTERM)
	b.run(time.Minute)
	var got []string
	for line := range strings.Lines(b.out.String()) {
		if at := strings.Index(line, " udp "); at > 0 { // the rest is random
			line = strings.Split(line, ":")[0] + line[strings.Index(line, ` "`):at]
		}
		got = append(got, strings.TrimSpace(line))
	}
	want := []string{
		"[WARNING] rowlock: plugin/rewrite in line 7 is not emulated", ".:53", "CoreDNS-1.12.1", "linux/amd64, go1.24.1, 707c7c1",
		`[INFO] 10.244.0.7 "A IN a.test.`, "[INFO] Reloading", "[INFO] Reloading complete", "[INFO] SIGTERM: Shutting down servers then terminating",
	}
	if diff := cmp.Diff(want, got); diff != "" || !b.exited || b.code != 0 {
		t.Errorf("ended %v with %d, log (-want +got):\n%s", b.exited, b.code, diff)
	}
}

// TestCoreDNS_Refuses shows that the program ends at Corefiles that CoreDNS refuses.
func TestCoreDNS_Refuses(t *testing.T) {
	t.Parallel()
	for corefile, want := range map[string]string{
		". {\n  frobnicate\n}":           "/Corefile:2 - Error during parsing: Unknown directive 'frobnicate'\n",
		". {\n  log\n":                   "/Corefile:2 - Error during parsing: Unexpected EOF\n",
		"tls://. {\n  whoami\n}":         "/Corefile:1 - Error during parsing: rowlock: tls is not emulated\n",
		".:x {\n  whoami\n}":             "/Corefile:1 - Error during parsing: invalid port \"x\"\n",
		".\nlog\n":                       "/Corefile:1 - Error during parsing: rowlock: a server block without braces is not emulated\n",
		"{\n}\n":                         "/Corefile:1 - Error during parsing: Unexpected token '{', expecting a zone\n",
		strings.Repeat("#\n", 128<<10+1): "rowlock: /Corefile has more than 262144 bytes\n",
	} {
		b := named(t, corefile)
		if !b.exited || b.code != 1 || b.out.String() != want {
			t.Errorf("%.40q: ended %v with %d and %q, want %q", corefile, b.exited, b.code, b.out.String(), want)
		}
	}
}
