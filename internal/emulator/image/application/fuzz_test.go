package application

import (
	"strings"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

func FuzzNginx(f *testing.F) {
	f.Add("http { server { listen 80; location / { root /x; } } }", "/")
	f.Add("http { server { listen 80; return 301 '/a b'; } include conf.d/*; }", "/../..")
	f.Add("http { include nginx.conf; }", "//")
	f.Fuzz(func(t *testing.T, conf, asked string) {
		base, err := vfs.NewBase("b", noon, []vfs.Entry{{Path: "/etc/nginx/nginx.conf", Data: []byte(conf)}, {Path: "/x/index.html", Data: []byte("x")}})
		if err != nil {
			t.Fatal(err)
		}
		k := kernel.New("", noon)
		k.Output = func(kernel.Written) {}
		k.AddSandbox(kernel.Sandbox{Name: "c", FS: vfs.NewView(vfs.NewTree("t", base, noon), "", noon)})
		p, err := newProcess(k)
		if err != nil {
			t.Fatal(err)
		}
		sites, err := nginxSites(p.FS(), "/etc/nginx/nginx.conf")
		if err != nil {
			return
		}
		w := &Web{Kind: webNginx, Sites: sites, Begun: true}
		for _, s := range sites {
			a := w.Serve(p, kernel.Query{Kind: kernel.QueryHTTP, Port: s.Port, Path: kernel.Text(asked)})
			if a.Outcome == kernel.OutcomeOK && (a.Status < 0 || a.Status > 1<<31) {
				t.Errorf("status %d", a.Status)
			}
		}
	})
}

// newProcess returns a process that only waits.
func newProcess(k *kernel.Kernel) (*kernel.Process, error) {
	fs := k.Sandbox("c").FS
	if err := fs.WriteFile("/wait", kernel.Binary("pause"), 0o755); err != nil {
		return nil, err
	}
	if _, err := k.Spawn("c", []string{"/wait"}, nil, "/", kernel.Stdio{}); err != nil {
		return nil, err
	}
	return k.Processes[0], nil
}

// The output of a described service is bounded, whatever its placeholders are.
func TestFill_IsQuick(t *testing.T) {
	t.Parallel()
	k := kernel.New("", noon)
	k.Output = func(kernel.Written) {}
	k.AddSandbox(kernel.Sandbox{Name: "c", Hostname: "h", FS: vfs.NewView(vfs.NewTree("t", nil, noon), "", noon)})
	p, err := newProcess(k)
	if err != nil {
		t.Fatal(err)
	}
	r := &Running{}
	braces := strings.Repeat("{", 1<<20)
	if got := r.fill(p, braces, nil); got != braces {
		t.Errorf("braces became %d bytes", len(got))
	}
	for text, want := range map[string]string{
		"{hostname}": "h", "{{hostname}}": "{h}", `{"a":"{hostname}"}`: `{"a":"h"}`, "{path}": "{path}", "{env:X}": "", "{time:15:04}": "12:00", "{": "{", "}": "}", "{}": "{}", "{seconds}": "0",
	} {
		if got := r.fill(p, text, nil); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}
