package main

import (
	"bytes"
	"strings"
	"testing"
)

// The server's URL comes from the flag, else from the address that `rowlock serve` would take from the environment.
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
		{name: "a port that only the server knows", listen: "127.0.0.1:0", err: "say with --server"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			command := kubeconfigCommand(func(name string) string { return map[string]string{"ROWLOCK_LISTEN": test.listen}[name] })
			var out bytes.Buffer
			command.SetOut(&out)
			command.SetErr(&out)
			command.SetArgs(append([]string{}, test.args...)) // nil would mean this process's own
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
