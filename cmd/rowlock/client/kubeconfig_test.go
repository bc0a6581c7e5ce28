package client

import (
	"bytes"
	"strings"
	"testing"
)

// TestKubeconfigCommand: the server's URL comes from the flag, otherwise from the address that
// `rowlock serve` would take from the environment.
func TestKubeconfigCommand(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		listen string // ROWLOCK_LISTEN
		args   []string
		want   string // the line of the server
		err    string // part of the refusal
	}{
		{name: "nothing given", want: "server: http://127.0.0.1:8080\n"},
		{name: "from the environment", listen: "127.0.0.1:8081", want: "server: http://127.0.0.1:8081\n"},
		{name: "the flag wins", listen: "127.0.0.1:0", args: []string{"--server", "http://[::1]:1"}, want: "server: http://[::1]:1\n"},
		{name: "a port that only the server knows", listen: "127.0.0.1:0", err: "with --server"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			command := KubeconfigCommand(func(name string) string { return map[string]string{"ROWLOCK_LISTEN": test.listen}[name] })
			var out bytes.Buffer
			command.SetOut(&out)
			command.SetErr(&out)
			command.SetArgs(append([]string{}, test.args...)) // nil would mean this process's own arguments
			err := command.Execute()
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %q", err, test.err)
				}
				return
			}
			if err != nil || !strings.Contains(out.String(), test.want) {
				t.Errorf("got %v and\n%s\nwant %s", err, &out, test.want)
			}
		})
	}
}

// TestDefaultServer: commands use the server on this machine, whatever address others use; a
// kubeconfig names the address for others.
func TestDefaultServer(t *testing.T) {
	t.Parallel()
	const external = "https://rowlock.example:7443"
	for _, test := range []struct {
		name                     string
		listen, external, cert   string
		encrypted                bool
		wantCommand, wantForKube string
	}{
		{name: "in the stack's container", listen: "0.0.0.0:6443", external: external, encrypted: true, wantCommand: "https://127.0.0.1:6443", wantForKube: external},
		{name: "nothing known but the external URL", external: external, encrypted: true, wantCommand: external, wantForKube: external},
		{name: "a certificate for other names", listen: ":6443", external: external, cert: "tls.crt", wantCommand: external, wantForKube: external},
		{name: "an address alone", listen: "192.0.2.7:6443", encrypted: true, wantCommand: "https://192.0.2.7:6443", wantForKube: "https://192.0.2.7:6443"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			getenv := func(name string) string {
				return map[string]string{
					"ROWLOCK_LISTEN": test.listen, "ROWLOCK_EXTERNAL_URL": test.external, "ROWLOCK_TLS_CERT_FILE": test.cert,
				}[name]
			}
			if got, err := defaultServer(getenv, test.encrypted); err != nil || got != test.wantCommand {
				t.Errorf("commands ask %s (%v), want %s", got, err, test.wantCommand)
			}
			if got, err := publicServer(getenv, test.encrypted); err != nil || got != test.wantForKube {
				t.Errorf("a kubeconfig names %s (%v), want %s", got, err, test.wantForKube)
			}
		})
	}
}
