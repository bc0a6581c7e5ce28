package program_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDig prints answers as dig, host and getent do.
func TestDig(t *testing.T) {
	t.Parallel()
	const full = "db.default.svc.cluster.local"
	tests := []struct{ name, script, want string }{
		{"short", "dig +short " + full, "10.96.0.7\n"},
		{"no search list", "dig +short db", ""},
		{"with it", "dig +short +search db", "10.96.0.7\n"},
		{"as upstream's tests ask", "dig +notcp +noall +answer +search db A", "db.default.svc.cluster.local. 30 IN\tA\t10.96.0.7\n"},
		{"an address", "dig +short -x 10.96.0.7", "db.default.svc.cluster.local\n"},
		{"by its type", "dig +short 7.0.96.10.in-addr.arpa PTR; dig +short -t ptr 7.0.96.10.in-addr.arpa", strings.Repeat("db.default.svc.cluster.local\n", 2)},
		{"two names", "dig +short " + full + " gone.example.com", "10.96.0.7\n192.0.2.1\n"},
		{"alias", "dig +noall +answer alias", "alias.\t\t\t30\tIN\tCNAME\tdb.default.svc.cluster.local.\ndb.default.svc.cluster.local. 30 IN\tA\t10.96.0.7\n"},
		{"a server that does not answer", "dig +tries=1 +time=2 @192.0.2.9 silent; echo $?",
			";; communications error to 192.0.2.9#53: timed out\n\n;; no servers could be reached\n\n9\nexit 0 after 2s\n"},
		{"an option", "dig +trace x; echo $?", "dig: rowlock: option +trace is not emulated\n1\n"},
		{"whole", "dig nosuch | grep -v -e WHEN -e SIZE -e id:",
			"\n; <<>> DiG 9.18.19 <<>> nosuch\n;; global options: +cmd\n;; Got answer:\n;; flags: qr aa rd; QUERY: 1, ANSWER: 0, AUTHORITY: 0, ADDITIONAL: 1\n" +
				";; WARNING: recursion requested but not available\n\n;; OPT PSEUDOSECTION:\n; EDNS: version: 0, flags:; udp: 1232\n;; QUESTION SECTION:\n;nosuch.\t\t\tIN\tA\n\n" +
				";; Query time: 0 msec\n;; SERVER: 10.96.0.10#53(10.96.0.10) (UDP)\n\n"},
		{"status", "dig x.cluster.local | grep -o -e 'status: [A-Z]*' -e SOA", "status: NXDOMAIN\nSOA\n"},
		{"host", "host db; host alias; host 10.96.0.7; host nosuch; echo $?",
			"db.default.svc.cluster.local has address 10.96.0.7\nalias is an alias for db.default.svc.cluster.local.\ndb.default.svc.cluster.local has address 10.96.0.7\n" +
				"7.0.96.10.in-addr.arpa domain name pointer db.default.svc.cluster.local\nHost nosuch not found: 3(NXDOMAIN)\n1\n"},
		{"host of a type", "host -t srv " + full, full + " has no SRV record\n"},
		{"getent", "getent ahosts db; getent ahostsv6 db; echo $?; getent hosts 10.96.0.7; getent hosts 10.1.2.3",
			"10.96.0.7       STREAM db.default.svc.cluster.local\n10.96.0.7       DGRAM\n10.96.0.7       RAW\n2\n10.96.0.7       db.default.svc.cluster.local\n10.1.2.3        pod-1\n"},
		{"users", "printf 'a:x:1:1::/:/bin/sh\\nb:x:2:2::/:/bin/sh\\n' >/etc/passwd; getent passwd 2; getent passwd c; echo $?", "b:x:2:2::/:/bin/sh\n2\n"},
		{"the second server", "printf 'nameserver 192.0.2.9\\nnameserver 10.96.0.10\\n' >/etc/resolv.conf; getent hosts silent; getent hosts " + full,
			"10.96.0.7       db.default.svc.cluster.local\nexit 0 after 10s\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tell(t, true, tt.script)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.script, diff)
			}
		})
	}
}

// TestConnect prints the result of a connection in a word.
func TestConnect(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want string }{
		{"db:80 --protocol=tcp", "0\n"},
		{"10.96.0.7:81", "REFUSED\n1\n"},
		{"--timeout 3s 192.0.2.1:80", "TIMEOUT\n1\nexit 0 after 3s\n"},
		{"nosuch:80", "DNS: lookup nosuch: no such host\n1\n"},
		{"10.96.0.7", "UNKNOWN: address 10.96.0.7: missing port in address\n1\n"},
		{"10.96.0.7:80 --protocol=sctp", "UNKNOWN: rowlock: sctp is not emulated\n1\n"},
		{"db:80 --protocol=udp", "0\nexit 0 after 1s\n"},
		{"db:80 --protocol=udp --udp-data=silent --timeout 2s", "TIMEOUT: read udp :1->10.96.0.7:80: i/o timeout\n1\nexit 0 after 2s\n"},
		{"db:81 --protocol=udp", "REFUSED: read udp :1->10.96.0.7:81: read: connection refused\n1\n"},
		{"nosuch:81 --protocol=udp", "DNS: lookup nosuch: no such host\n1\n"},
		{"db:80 --protocol=tls", "Unsupported protocol\ntls\n1\n"},
		{"10.96.0.7:80 --timeout=x", "Error: invalid argument \"x\" for \"--timeout\" flag\n1\n"},
		{"10.96.0.7:80 --x", "Error: unknown flag: --x\n1\n"},
	} {
		if diff := cmp.Diff(tt.want, tell(t, true, "agnhost-connect connect "+tt.args+"; echo $?")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.args, diff)
		}
	}
}
