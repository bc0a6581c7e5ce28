package image

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestStress: stress is killed if it uses more memory than its container's limit.
func TestStress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args, limit string
		code, at    int
	}{
		{"stress --vm 1 --vm-bytes 150M --vm-hang 1", "209715200", -1, 0},
		{"stress --vm 1 --vm-bytes 250M --vm-hang 1", "104857600", 137, 0},
		{"stress --vm 1 --vm-bytes 250M --timeout 10s", "", 0, 10},
		{"stress --vm 2 --vm-bytes 100M --timeout 10", "157286400", 137, 0},
		{"stress -mem-total 150Mi -mem-alloc-size 10Mi -mem-alloc-sleep 1s -cpus 2", "104857600", 137, 0},
		{"stress --cpu 1 -t 1m", "104857600", 0, 60},
		{"stress", "", 0, 0},
		{"stress --vm 1 --vm-bytes lots", "", 125, 0},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			b := begin(t, "polinux/stress", corev1.Container{Command: words(tt.args)})
			if tt.limit != "" {
				if err := b.fs.MkdirAll("/sys/fs/cgroup", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := b.fs.WriteFile("/sys/fs/cgroup/memory.max", []byte(tt.limit+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b.run(time.Hour)
			if b.exited != (tt.code >= 0) || b.exited && (b.code != tt.code || int(b.at.Seconds()) != tt.at) {
				t.Errorf("exited %v with %d after %v, want %d after %d s: %s",
					b.exited, b.code, b.at, tt.code, tt.at, b.out.String())
			}
		})
	}
}

func TestPrograms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		image   string
		command []string
		env     []string
		out     string
		code    int
		at      int // when it exits, in whole seconds
	}{
		{"postgres", []string{"docker-entrypoint.sh", "postgres"}, nil, "Error: Database is uninitialized and superuser password is not specified.\n…", 1, 0},
		{"mysql", []string{"docker-entrypoint.sh", "mysqld"}, nil, "[ERROR] [Entrypoint]: Database is uninitialized…", 1, 0},
		{"hashicorp/http-echo", []string{"/http-echo"}, nil, "Missing -text option!\n", 127, 0},
		{"perl:5.34.0", []string{"perl", "-Mbignum=bpi", "-wle", "print bpi(2000)"}, nil, "3.14159265358979323846264338327950288419716939937510…", 0, 5},
		{"perl", []string{"perl", "-Mbignum=bpi", "-wle", "print bpi(20)"}, nil, "3.1415926535897932385\n", 0, 0},
		{"perl", []string{"perl", "-Mbignum=bpi", "-e", "print bpi(5)"}, nil, "3.1416", 0, 0},
		{"perl", []string{"perl", "-e", `print "hello\n"; sleep 3; exit 4`}, nil, "hello\n", 4, 3},
		{"perl", []string{"perl", "-e", `die "no"`}, nil, "no at -e line 1.\n", 255, 0},
		{"perl", []string{"perl", "-le", `print "a", 'b\n', 1 + 2 * 3`}, nil, "ab\\n7\n", 0, 0},
		{"perl", []string{"perl", "-e", `print "$x"`}, nil, "rowlock: this perl program is not emulated\n", 125, 0},
		{"perl", []string{"perl", "-e", `while (1) { sleep 1 }`}, nil, "rowlock: this perl program is not emulated\n", 125, 0},
		{"perl", []string{"perl", "-Mbignum=bpi", "-wle", "print bpi(10001)"}, nil, "rowlock: this perl program is not emulated\n", 125, 0},
		{"perl", []string{"perl", "-de0"}, nil, "", 0, 0},
		{"perl", nil, nil, "", 0, 0},
		{"perl:5.34.0", []string{"perl", "-v"}, nil, "\nThis is perl 5, version 34, subversion 0 (v5.34.0)…", 0, 0},
		{"debian", []string{"perl", "-e", "print 'x'"}, nil, "x", 0, 0},
		{"python:3.12", []string{"python", "-c", "import time, sys\nprint('hi', 2 ** 10)\ntime.sleep(1.5); sys.exit(3)"}, nil, "hi 1024\n", 3, 1},
		{"python:3.12", []string{"python3", "-u", "-c", "import os; print('on ' + os.environ['WHERE'])"}, []string{"WHERE=earth"}, "on earth\n", 0, 0},
		{"python:3.12", []string{"python3", "-c", "import sys; sys.exit('broken')"}, nil, "broken\n", 1, 0},
		{"python:3.12", []string{"python3", "-c", "x = 1\nprint(x)"}, nil, "1\n", 0, 0},
		{"python:3.12", []string{"python3", "-c", "for i in range(3): print(i)"}, nil, "0\n1\n2\n", 0, 0},
		{"python", []string{"python3", "-c", evenFails}, []string{"JOB_COMPLETION_INDEX=2"}, "Hello world\n", 1, 0},
		{"python", []string{"python3", "-c", evenFails}, []string{"JOB_COMPLETION_INDEX=3"}, "Hello world\n", 0, 0},
		{"python", []string{"python3", "-c", succeeds}, []string{"JOB_COMPLETION_INDEX=2"}, "", 0, 0},
		{"python", []string{"python3", "-c", succeeds}, []string{"JOB_COMPLETION_INDEX=1"}, "", 1, 0},
		{
			"python",
			[]string{
				"python3", "-c",
				"import time\nn = 0\nwhile n < 3:\n    n += 1\n    print(f'round {n} of {1 + 2}', time.ctime(), flush=True)\n" +
					"    time.sleep(2)\nelsewhere = [1, 'a']; print(elsewhere, elsewhere[-1] in 'abc')",
			},
			nil,
			"round 1 of 3 Wed Mar  4 12:00:00 2026\nround 2 of 3 Wed Mar  4 12:00:02 2026\n" +
				"round 3 of 3 Wed Mar  4 12:00:04 2026\n[1, 'a'] True\n",
			0, 6,
		},
		{
			"python",
			[]string{
				"python3", "-c",
				"import random, sys\nwhile True:\n  if random.random() < 2: break\nfor i in range(5):\n  if i == 1: continue\n" +
					"  if i > 2 and not i % 3: sys.exit(i)\n  print(i, end=' ')",
			},
			nil, "0 2 ", 3, 0,
		},
		{
			"python", []string{"python3", "-c", "print('a')\nraise ValueError('boom')"}, nil,
			"a\nTraceback (most recent call last):\n  File \"<string>\", line 2, in <module>\nValueError: boom\n", 1, 0,
		},
		{
			"python", []string{"python3", "-c", "import os\nprint(os.environ['NONE'])"}, nil,
			"Traceback (most recent call last):\n  File \"<string>\", line 2, in <module>\nKeyError: 'NONE'\n", 1, 0,
		},
		{
			"python",
			[]string{
				"python3", "-c",
				"print(7 // 2, -7 % 3, -2 ** 2, 7 / 2, 2 ** 10, 1.5 + 1, 'ab' * 2, len('abc'), None, 1 < 2 or x)",
			},
			nil, "3 2 -4 3.5 1024 2.5 abab 3 None True\n", 0, 0,
		},
		{"python", []string{"python3", "-c", "print('a')\ndef f(): pass"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python", []string{"python3", "-c", "while True: print('a')"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python", []string{"python3", "-c", "x = [1]\nwhile True: x = [x, x]"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python", []string{"python3", "-c", "import requests"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python:3.12", []string{"python3", "-m", "pip"}, nil, "rowlock: this python program is not emulated\n", 125, 0},
		{"python:3.12", []string{"python3", "/app.py"}, nil, "python3: can't open file '/app.py': [Errno 2] No such file or directory\n", 2, 0},
		{"python:3.12", []string{"python", "--version"}, nil, "Python 3.12\n", 0, 0},
		{"python:3.12", nil, nil, "", 0, 0},
		{"node:22", []string{"node", "-e", "console.log('a', 1); process.exit(2)"}, nil, "a 1\n", 2, 0},
		{"node:22", []string{"node", "-e", "require('http').createServer().listen(1)"}, nil, "rowlock: this node program is not emulated\n", 125, 0},
		{"node:22", nil, nil, "", 0, 0},
		{"ruby", []string{"ruby", "-e", "puts 'x'; sleep 2; exit(5)"}, nil, "x\n", 5, 2},
		{"php", []string{"php", "-r", `echo "x\n"; sleep(1); exit(6);`}, nil, "x\n", 6, 1},
		{"golang:1.22", []string{"go", "version"}, nil, "go version go1.22 linux/amd64\n", 0, 0},
		{"golang:1.22", []string{"go", "run", "x.go"}, nil, "rowlock: go with these arguments is not emulated\n", 125, 0},
		{"openjdk:21", []string{"java", "-version"}, nil, "openjdk version \"21\"\n…", 0, 0},
		{"openjdk:21", []string{"java", "-jar", "x.jar"}, nil, "rowlock: java with these arguments is not emulated\n", 125, 0},
		{"busybox", []string{"httpd", "-h", "/none"}, nil, "httpd: can't change directory to '/none': No such file or directory\n", 1, 0},
		{"busybox", []string{"busybox", "httpd", "-h", "/none"}, nil, "httpd: can't change directory to '/none': No such file or directory\n", 1, 0},
		{"debian", []string{"service", "--status-all"}, nil, "rowlock: service is not emulated\n", 125, 0},
		{"ubuntu", []string{"apt-get", "update"}, nil, "rowlock: apt-get is not emulated\n", 125, 0},
		{"redis", []string{"redis-cli", "-p", "1", "ping"}, nil, "Could not connect to Redis at 127.0.0.1:1: Connection refused\n", 1, 0},
		{"redis", []string{"redis-cli", "--scan"}, nil, "rowlock: redis-cli --scan is not emulated\n", 125, 0},
		{"redis:7.2", []string{"redis-cli", "--version"}, nil, "redis-cli 7.2\n", 0, 0},
		{"redis", []string{"redis-cli", "--nope"}, nil, "Unrecognized option or bad number of args for: '--nope'\n", 1, 0},
		{
			"redis", []string{"redis-server", "/none.conf"}, nil,
			"1:C 04 Mar 2026 12:00:00.000 # Fatal error, can't open config file '/none.conf': No such file or " +
				"directory\n",
			1, 0,
		},
		{
			"redis", []string{"sh", "-c", "echo maxmemory much >/a.conf; exec redis-server /a.conf"}, nil,
			"\n*** FATAL CONFIG FILE ERROR (Redis 7.4.1) ***\nReading the configuration file, at line 1\n" +
				">>> 'maxmemory much'\nargument must be a memory value\n",
			1, 0,
		},
		{"postgres", []string{"pg_isready", "-U", "postgres"}, nil, "/var/run/postgresql:5432 - no response\n", 2, 0},
		{"postgres:16.1", []string{"psql", "--version"}, nil, "psql (PostgreSQL) 16.1\n", 0, 0},
		{"mysql", []string{"mysqladmin", "ping", "-h", "localhost", "-ppassword"}, nil, "mysqld is alive\n", 0, 0},
		{"hello-world", nil, nil, "\nHello from Docker!\n…", 0, 0},
		{"registry.k8s.io/e2e-test-images/nonewprivs:1.4", nil, nil, "Effective uid: 1000\n", 0, 0},
		{agnhost, []string{"/agnhost", "entrypoint-tester", "a", "b"}, nil, "[/agnhost entrypoint-tester a b]\n", 0, 0},
		{
			agnhost,
			[]string{"/agnhost", "mounttest", "--new_file_0644=/tmp/f", "--file_perm=/tmp/f", "--file_mode=/tmp", "--file_owner=/tmp/f"},
			nil,
			"content of file \"/tmp/f\": mount-tester new file\n\nmode of file \"/tmp\": dtrwxrwxrwx\n" +
				"perms of file \"/tmp/f\": -rw-r--r--\nowner UID of \"/tmp/f\": 0\nowner GID of \"/tmp/f\": 0\n",
			0, 0,
		},
		{agnhost, []string{"/agnhost", "mounttest", "--file_content_in_loop=/none", "--retry_time=4"}, nil, "Error reading file /none: …", 1, 4},
		{
			agnhost,
			[]string{
				"/agnhost", "mounttest", "--new_file_0666=/tmp/f", "--break_on_expected_content=false",
				"--file_content_in_loop=/tmp/f", "--retry_time=4",
			},
			nil, "…", 0, 4,
		},
		{agnhost, []string{"/agnhost", "mounttest", "--fs_type=/none", "--new_file_0666=/f", "--file_content_in_loop=/f"}, nil, "…", 1, 0},
		{agnhost, []string{"/agnhost", "logs-generator", "--log-lines-total=2", "--run-duration=4s"}, nil, "I0304 12:00:00.0…", 0, 4},
		{agnhost, []string{"sh", "-c", "echo 10.0.0.1 a >/etc/hosts; /agnhost etc-hosts"}, nil, "10.0.0.1 a\n\n", 0, 0},
		{
			agnhost,
			[]string{
				"sh", "-c",
				"echo 'nameserver 10.0.0.10' >/etc/resolv.conf; echo 'search a.b c' >>/etc/resolv.conf; /agnhost dns-suffix; " +
					"/agnhost dns-server-list",
			},
			nil, "a.b,c\n10.0.0.10\n", 0, 0,
		},
		{agnhost, []string{"sh", "-c", ": >/etc/resolv.conf; /agnhost dns-suffix"}, nil, "panic: Could not find DNS search list!\n…", 2, 0},
		{agnhost, []string{"/agnhost", "resource-consumer"}, nil, "rowlock: agnhost resource-consumer is not emulated\n", 125, 0},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.image, tt.command), func(t *testing.T) {
			t.Parallel()
			b := begin(t, tt.image, corev1.Container{Command: tt.command}, tt.env...)
			b.served = map[int]bool{6379: true, 3306: true}
			b.run(time.Minute)
			want, more := strings.CutSuffix(tt.out, "…")
			if !b.exited || b.code != tt.code || int(b.at.Seconds()) != tt.at {
				t.Errorf("exited %v with %d after %v, want %d after %d s", b.exited, b.code, b.at, tt.code, tt.at)
			}
			if got := b.out.String(); got != want && !(more && strings.HasPrefix(got, want)) {
				t.Errorf("output is %q, want %q", got, tt.out)
			}
		})
	}
}

// The programs in Kubernetes' docs on indexed Jobs.
//
// Source: kubernetes/website content/en/examples/controllers, job-backoff-limit-per-index-example.yaml and
// job-success-policy.yaml
const (
	evenFails = "import os, sys\nprint(\"Hello world\")\nif int(os.environ.get(\"JOB_COMPLETION_INDEX\")) % 2 == 0:\n  sys.exit(1)\n"
	succeeds  = "import os, sys\nif os.environ.get(\"JOB_COMPLETION_INDEX\") == \"2\":\n  sys.exit(0)\nelse:\n  sys.exit(1)\n"
)
