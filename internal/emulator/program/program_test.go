package program_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/utility/catalogue"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

const resolvConf = "nameserver 10.96.0.10\nsearch default.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n"

// base has all programs, with or without busybox.
func base(t *testing.T, busybox bool) *vfs.Base {
	t.Helper()
	entries := vfs.Devices()
	names := append(catalogue.Names(),
		strings.Fields(`sh sleep env timeout xargs nohup nice time kill ps pgrep pkill pidof killall nslookup getent dig `+
			`host agnhost-connect wget curl nc ping watch free tail yes`)...)
	if busybox {
		names = append(names, "busybox")
	}
	for _, name := range names {
		if kernel.Provided(name) == nil {
			t.Fatalf("no program %s", name)
		}
		entries = append(entries, vfs.Entry{Path: "/bin/" + name, Mode: vfs.ModeRegular | 0o755, Data: kernel.Binary(name)})
	}
	entries = append(entries, vfs.Entry{Path: "/tmp", Mode: vfs.ModeDir | 0o777},
		vfs.Entry{Path: "/etc/resolv.conf", Data: []byte(resolvConf)}, vfs.Entry{Path: "/etc/hosts", Data: []byte("127.0.0.1\tlocalhost\n10.1.2.3\tpod-1\n")})
	b, err := vfs.NewBase("test", start, entries)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// outside answers queries: after a time, the service db has an address; it listens on port 80 and
// serves "/".
func outside(q kernel.Query) kernel.Answer {
	switch q.Kind {
	case kernel.QueryDNS:
		switch {
		case q.Address == "192.0.2.9":
			return kernel.Answer{Outcome: kernel.OutcomeNoServer}
		case q.Name == "alias":
			return kernel.Answer{Canonical: "db.default.svc.cluster.local", Addresses: []string{"10.96.0.7"}}
		case q.Name == "db.default.svc.cluster.local" && q.Record == "SRV":
			return kernel.Answer{}
		case q.Record == "PTR" && q.Name == "7.0.96.10.in-addr.arpa":
			return kernel.Answer{Records: []string{"db.default.svc.cluster.local"}}
		case q.Name == "db.default.svc.cluster.local", q.Name == "late.default.svc.cluster.local" && q.At >= 5*time.Second:
			return kernel.Answer{Addresses: []string{"10.96.0.7"}}
		case q.Name == "gone.example.com":
			return kernel.Answer{Addresses: []string{"192.0.2.1"}}
		}
		return kernel.Answer{Outcome: kernel.OutcomeNoName}
	case kernel.QueryPing:
		return kernel.Answer{Took: time.Millisecond}
	}
	switch {
	case q.Address == "192.0.2.1":
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}
	case q.Address != "10.96.0.7" || q.Port != 80:
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	case q.Kind == kernel.QueryTCP:
		return kernel.Answer{}
	case q.Kind == kernel.QueryUDP && strings.HasPrefix(string(q.Body), "silent"):
		return kernel.Answer{Outcome: kernel.OutcomeTimeout}
	case q.Kind == kernel.QueryUDP:
		return kernel.Answer{Body: "got " + q.Body, Took: time.Second}
	case q.Kind == kernel.QueryRaw:
		return kernel.Answer{Body: "heard " + q.Body}
	case q.TLS:
		return kernel.Answer{Outcome: kernel.OutcomePlain}
	case q.Path == "/reset":
		return kernel.Answer{Outcome: kernel.OutcomeReset}
	case q.Path == "/moved":
		return kernel.Answer{Status: 302, Header: kernel.Texts{"Location: /echo?x=1"}}
	case q.Path == "/headers":
		return kernel.Answer{Status: 200, Body: kernel.Text(strings.Join(q.Header, "\n") + "\n")}
	case strings.HasPrefix(string(q.Path), "/echo"):
		return kernel.Answer{Status: 200, Header: kernel.Texts{"Content-Type: text/plain"}, Body: kernel.Text(fmt.Sprintf("%s %s %s %q\n", q.Method, q.Host, q.Path, q.Body))}
	case q.Path == "/":
		return kernel.Answer{Status: 200, Header: kernel.Texts{"Content-Type: text/html"}, Body: "<h1>hi</h1>\n"}
	}
	return kernel.Answer{Status: 404, Body: "not here\n"}
}

// tell runs a script, carries its state through JSON at each query, and returns its output and exit
// code.
func tell(t *testing.T, busybox bool, script string) string {
	t.Helper()
	return tellIn(t, busybox, "", script)
}

// tellIn is tell in an image whose tag names a release of BusyBox.
func tellIn(t *testing.T, busybox bool, release, script string) string {
	t.Helper()
	b := base(t, busybox)
	tree := vfs.NewTree("root", b, start)
	view := vfs.NewView(tree, "", start)
	k := kernel.New("seed", start)
	var text strings.Builder
	out := func(w kernel.Written) { text.Write(w.Data) }
	k.Output = out
	k.AddSandbox(kernel.Sandbox{Name: "c", FS: view, Hostname: "pod-1", BusyBox: release})
	if _, err := k.Spawn("c", []string{"sh", "-c", script}, []string{"PATH=/bin"}, "/tmp", kernel.Stdio{}); err != nil {
		t.Fatal(err)
	}
	for {
		stop := k.Run(start.Add(time.Hour), kernel.Budget{Steps: 1_000_000})
		switch stop.Kind {
		case kernel.KindExit:
			end := stop.At.Sub(start).Truncate(time.Second)
			if stop.Exit.Code != 0 || end > 0 {
				fmt.Fprintf(&text, "exit %d after %s\n", stop.Exit.Code, end)
			}
			return text.String()
		case kernel.KindQuery:
			state, err := json.Marshal(k)
			if err != nil {
				t.Fatal(err)
			}
			k = &kernel.Kernel{}
			if err := json.Unmarshal(state, k); err != nil {
				t.Fatal(err)
			}
			k.Output = out
			k.SetFS("c", view)
			if err := k.Answer(stop.Query.ID, outside(stop.Query)); err != nil {
				t.Fatal(err)
			}
		default:
			fmt.Fprintf(&text, "still running\n")
			return text.String()
		}
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, script, busybox, gnu string }{
		{
			"waits for a Service", "until nslookup late.default.svc.cluster.local >/dev/null; do echo waiting; sleep 2; done",
			"waiting\nwaiting\nwaiting\nexit 0 after 6s\n", "waiting\nwaiting\nwaiting\nexit 0 after 6s\n",
		},
		{
			"nslookup of a full name", "nslookup db.default.svc.cluster.local",
			"Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\nName:\tdb.default.svc.cluster.local\nAddress: 10.96.0.7\n\n\n",
			"Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\nName:\tdb.default.svc.cluster.local\nAddress: 10.96.0.7\n\n",
		},
		{
			"nslookup of a name that is not there", "nslookup x.y",
			"Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n** server can't find x.y: NXDOMAIN\n\n** server can't find x.y: NXDOMAIN\n\nexit 1 after 0s\n",
			"Server:\t\t10.96.0.10\nAddress:\t10.96.0.10#53\n\n** server can't find x.y: NXDOMAIN\n\nexit 1 after 0s\n",
		},
		{"nslookup of an address", "nslookup 10.96.0.7 | tail -n 2", "7.0.96.10.in-addr.arpa\tname = db.default.svc.cluster.local\n\n", "7.0.96.10.in-addr.arpa\tname = db.default.svc.cluster.local\n\n"},
		{
			"getent", "getent hosts db; getent hosts pod-1; getent hosts nosuch",
			"10.96.0.7       db.default.svc.cluster.local\n10.1.2.3        pod-1\nexit 2 after 0s\n",
			"10.96.0.7       db.default.svc.cluster.local\n10.1.2.3        pod-1\nexit 2 after 0s\n",
		},
		{"wget to standard output", "wget -q -O- db", "<h1>hi</h1>\n", "<h1>hi</h1>\n"},
		{
			"wget to a file", "wget http://db/; cat index.html",
			"Connecting to db (10.96.0.7:80)\nsaving to 'index.html'\nindex.html           100% |********************************|    12  0:00:00 ETA\n'index.html' saved\n<h1>hi</h1>\n",
			"Connecting to db (10.96.0.7:80)\nsaving to 'index.html'\nindex.html           100% |********************************|    12  0:00:00 ETA\n'index.html' saved\n<h1>hi</h1>\n",
		},
		{
			"wget that fails", "wget -qO- db:81; wget -qO- db/x; wget -q nosuch; wget -q -T 5 gone.example.com",
			"wget: can't connect to remote host (10.96.0.7): Connection refused\nwget: server returned error: HTTP/1.1 404 Not Found\nwget: bad address 'nosuch'\nwget: download timed out\nexit 1 after 5s\n",
			"wget: can't connect to remote host (10.96.0.7): Connection refused\nwget: server returned error: HTTP/1.1 404 Not Found\nwget: bad address 'nosuch'\nwget: download timed out\nexit 1 after 5s\n",
		},
		{
			"curl", `curl -g -q -s db; curl -sL http://db/moved; curl -s -o /dev/null -w '%{http_code}\n' db/x; curl -sf db/x || echo $?; curl -sS -X PUT -d a=b db/echo; curl -sSI db | head -n 1`,
			"<h1>hi</h1>\nGET db /echo?x=1 \"\"\n404\n22\nPUT db /echo \"a=b\"\nHTTP/1.1 200 OK\r\n", "<h1>hi</h1>\nGET db /echo?x=1 \"\"\n404\n22\nPUT db /echo \"a=b\"\nHTTP/1.1 200 OK\r\n",
		},
		{
			"curl with data", `printf 'a\nb' >/tmp/f; curl -s -d @/tmp/f db/echo; curl -s --data-binary @/tmp/f -d c db/echo; curl -s --data-raw @/tmp/f db/echo; curl -s --json '{"a":1}' db/headers; ` +
				`curl -s -d '' -H 'accept:' -H 'X-Empty;' -H 'content-type: text/plain' db/headers; curl -s -d x db/headers | tail -n 1; curl -d @/tmp/none db`,
			"POST db /echo \"ab\"\nPOST db /echo \"a\\nb&c\"\nPOST db /echo \"@/tmp/f\"\nUser-Agent: curl/8.5.0\nAccept: application/json\nContent-Type: application/json\n" +
				"User-Agent: curl/8.5.0\nX-Empty:\ncontent-type: text/plain\nContent-Type: application/x-www-form-urlencoded\n" +
				"curl: Failed to open /tmp/none\ncurl: option -d: error encountered when reading a file\ncurl: try 'curl --help' or 'curl --manual' for more information\nexit 26 after 0s\n",
			"POST db /echo \"ab\"\nPOST db /echo \"a\\nb&c\"\nPOST db /echo \"@/tmp/f\"\nUser-Agent: curl/8.5.0\nAccept: application/json\nContent-Type: application/json\n" +
				"User-Agent: curl/8.5.0\nX-Empty:\ncontent-type: text/plain\nContent-Type: application/x-www-form-urlencoded\n" +
				"curl: Failed to open /tmp/none\ncurl: option -d: error encountered when reading a file\ncurl: try 'curl --help' or 'curl --manual' for more information\nexit 26 after 0s\n",
		},
		{
			"curl that fails", `curl -sS nosuch; echo $?; curl -sS db:81; echo $?; curl -sS -m 3 gone.example.com; echo $?; curl --fly db`,
			"curl: (6) Could not resolve host: nosuch\n6\ncurl: (7) Failed to connect to db port 81 after 0 ms: " +
				"Could not connect to server\n7\ncurl: (28) Connection timed out after 3000 milliseconds\n28\n" +
				"curl: option --fly: rowlock: is not emulated\nexit 2 after 3s\n",
			"curl: (6) Could not resolve host: nosuch\n6\ncurl: (7) Failed to connect to db port 81 after 0 ms: " +
				"Could not connect to server\n7\ncurl: (28) Connection timed out after 3000 milliseconds\n28\n" +
				"curl: option --fly: rowlock: is not emulated\nexit 2 after 3s\n",
		},
		{
			"curl whose connection is reset", `curl -sS db/reset; echo $?; curl -s db/reset || echo $?`,
			"curl: (56) Recv failure: Connection reset by peer\n56\n56\n", "curl: (56) Recv failure: Connection reset by peer\n56\n56\n",
		},
		{
			"HTTPS to a server of plain HTTP", `curl -skS https://db:80; echo $?; wget -qO- https://db:80`,
			"curl: (35) TLS connect error: error:0A00010B:SSL routines::wrong version number\n35\nwget: got bad TLS record (len:0) while expecting handshake record\nexit 1 after 0s\n",
			"curl: (35) TLS connect error: error:0A00010B:SSL routines::wrong version number\n35\nwget: got bad TLS record (len:0) while expecting handshake record\nexit 1 after 0s\n",
		},
		{
			"nc", "nc -z db 80 && echo open; nc -zv db 80; nc -z -w 2 gone.example.com 80; echo $?",
			"open\ndb (10.96.0.7:80) open\nnc: gone.example.com (192.0.2.1:80): Connection timed out\n1\nexit 0 after 2s\n",
			"open\ndb (10.96.0.7:80) open\n1\nexit 0 after 2s\n",
		},
		{
			"nc that says once that it is connected", "(sleep 1; echo one; sleep 1; echo two) | nc -v db 80",
			"db (10.96.0.7:80) open\nheard one\ntwo\nexit 0 after 2s\n", "db (10.96.0.7:80) open\nheard one\ntwo\nexit 0 after 2s\n",
		},
		{
			"nc that sends", "(echo one; sleep 1; echo two) | nc -t -w 5 db 80; echo three | nc db 80; echo x | nc -w 1 db 81; echo $?",
			"heard one\ntwo\nheard three\nnc: db (10.96.0.7:81): Connection refused\n1\nexit 0 after 1s\n", "heard one\ntwo\nheard three\n1\nexit 0 after 1s\n",
		},
		{
			"nc over UDP", "(echo one; sleep 3; echo two) | nc -u -w 2 db 80; echo silent | nc -v -u -p 4000 -w5 db 80; echo $?; echo x | nc -u -w 1 db 81; echo $?; nc -zu -w 1 db 80; echo $?",
			"got one\ngot two\ndb (10.96.0.7:80) open\n0\nnc: db (10.96.0.7:81): Connection refused\n1\n0\nexit 0 after 12s\n",
			"got one\ngot two\ndb (10.96.0.7:80) open\n0\n1\n0\nexit 0 after 12s\n",
		},
		{"nc over UDP without a limit", "timeout 9 nc -u db 80 < /dev/null; echo $?", "143\nexit 0 after 9s\n", "124\nexit 0 after 9s\n"},
		{"nc over UDP whose reader is gone", "(echo one; sleep 5; echo two) | nc -u -w 20 db 80 | head -n 1", "got one\nexit 0 after 6s\n", "got one\nexit 0 after 6s\n"},
		{
			"ping", "ping -c 2 db | grep -v round",
			"PING db (10.96.0.7): 56 data bytes\n64 bytes from 10.96.0.7: seq=0 ttl=64 time=1.000 ms\n" +
				"64 bytes from 10.96.0.7: seq=1 ttl=64 time=1.000 ms\n\n--- db ping statistics ---\n" +
				"2 packets transmitted, 2 packets received, 0% packet loss\nexit 0 after 1s\n",
			"PING db (10.96.0.7): 56 data bytes\n64 bytes from 10.96.0.7: seq=0 ttl=64 time=1.000 ms\n" +
				"64 bytes from 10.96.0.7: seq=1 ttl=64 time=1.000 ms\n\n--- db ping statistics ---\n" +
				"2 packets transmitted, 2 packets received, 0% packet loss\nexit 0 after 1s\n",
		},
		{"timeout", "timeout 2 sleep 9; echo $?; timeout 9 sleep 1; echo $?", "143\n0\nexit 0 after 3s\n", "124\n0\nexit 0 after 3s\n"},
		{"ps", "sleep 9 & ps; :", "PID   USER     TIME  COMMAND\n    1 root       0:00 sh -c sleep 9 & ps; :\n    2 root       0:00 sleep 9\n    3 root       0:00 ps\n", ""},
		{"kill by name", "sleep 9 & sleep 8 & pgrep sleep; pkill sleep; wait; pidof sleep; echo $?", "2\n3\nTerminated\nTerminated\n1\n", ""},
		{"tail -f of what grows", "(for i in 1 2 3; do sleep 1; echo $i >> log; done) & touch log; timeout 5 tail -f log", "1\n2\n3\nexit 143 after 5s\n", ""},
		{
			"tail -F waits for a file", "(sleep 2; echo 1 > log; sleep 1; echo 2 >> log) & timeout 5 tail -n+1 -F log 2>&1",
			"tail: can't open 'log': No such file or directory\ntail: log has appeared; following end of new file\n1\n2\nexit 143 after 5s\n",
			"tail: cannot open 'log' for reading: No such file or directory\ntail: 'log' has appeared;  following new file\n1\n2\nexit 124 after 5s\n",
		},
		{
			"tail -f does not", "tail -f log 2>&1",
			"tail: can't open 'log': No such file or directory\ntail: no files\nexit 1 after 0s\n",
			"tail: cannot open 'log' for reading: No such file or directory\ntail: no files remaining\nexit 1 after 0s\n",
		},
		{"tail -f /dev/null", "exec tail -f /dev/null", "still running\n", "still running\n"},
		{"yes waits for its reader", "yes | (sleep 5; head -n 1)", "y\nexit 0 after 5s\n", "y\nexit 0 after 5s\n"},
		{"env", "A=1 env -i B=2 env; env -u PATH B=3 sh -c 'echo $B' || echo $?", "B=2\n3\n", "B=2\n3\n"},
		{"busybox", "busybox echo hi; busybox nosuch", "hi\nnosuch: applet not found\nexit 127 after 0s\n", ""},
		{"xargs", "echo 1 2 3 | xargs -n 2 echo; printf 'a b\\nc\\n' | xargs -I X echo '<X>'", "1 2\n3\n<a b>\n<c>\n", "1 2\n3\n<a b>\n<c>\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := tell(t, true, test.script); got != test.busybox {
				t.Errorf("busybox: %s", cmp.Diff(test.busybox, got))
			}
			if test.gnu == "" {
				return
			}
			if got := tell(t, false, test.script); got != test.gnu {
				t.Errorf("GNU: %s", cmp.Diff(test.gnu, got))
			}
		})
	}
}

// TestLookup_BeforeBusyBox129: up to BusyBox 1.28 the search list applies to names with dots too.
func TestLookup_BeforeBusyBox129(t *testing.T) {
	t.Parallel()
	const server = "Server:    10.96.0.10\nAddress 1: 10.96.0.10\n\n"
	const found = "Address 1: 10.96.0.7 db.default.svc.cluster.local\n"
	for _, test := range []struct{ script, want string }{
		{"nslookup db", server + "Name:      db\n" + found},
		{"nslookup db.default", server + "Name:      db.default\n" + found},
		{"nslookup db.default.svc.cluster.local", server + "Name:      db.default.svc.cluster.local\n" + found},
		{"nslookup 10.96.0.7", server + "Name:      10.96.0.7\n" + found},
		{"nslookup pod-1", server + "Name:      pod-1\nAddress 1: 10.1.2.3 pod-1\n"},
		{"nslookup x.y; echo $?", server + "nslookup: can't resolve 'x.y'\n1\n"},
		{"nslookup db 10.96.0.7", "Server:    10.96.0.7\n" + found + "\nName:      db\n" + found},
	} {
		t.Run(test.script, func(t *testing.T) {
			t.Parallel()
			for _, release := range []string{"1.28", "1.28.4", "1.9"} {
				if diff := cmp.Diff(test.want, tellIn(t, true, release, test.script)); diff != "" {
					t.Errorf("BusyBox %s: %s", release, diff)
				}
			}
		})
	}
	for _, release := range []string{"", "1", "1.29", "1.37.0", "2.1"} {
		if got := tellIn(t, true, release, "nslookup db.default"); !strings.Contains(got, "NXDOMAIN") {
			t.Errorf("BusyBox %q: %s", release, got)
		}
	}
}
