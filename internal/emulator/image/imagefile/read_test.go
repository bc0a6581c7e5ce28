package imagefile_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/image"
	"github.com/rowlock/rowlock/internal/emulator/image/application"
	"github.com/rowlock/rowlock/internal/emulator/image/imagefile"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

const shop = `# images of the shop
---
repository: registry.example.com/shop/api
missingTags: ["0.*"]
base: debian
env: {MODE: test}
user: "1000"
files:
  /etc/shop.conf: |
    listen 8080
program:
  needs:
  - {oneOf: [DB_HOST, DB_URL]}
  output:
  - {after: 2s, text: "{time:15:04:05} {hostname} is ready for {env:DB_HOST}"}
  ports:
  - number: 8080
    after: 2s
    log: "{method} {path}"
    http:
    - {path: /healthz, until: 30s, body: ok}
    - {path: /healthz, status: 503, body: tired}
    - {path: "/items/*", type: application/json, body: '{"path": "{path}"}'}
  exit: {after: 1h, code: 3}
  signals:
    TERM: {after: 5s, text: "bye\n"}
---
repository: harbor.example.com/mirror/nginx
like: nginx
cmd: [nginx, -g, daemon off;]
files: {/usr/share/nginx/html/index.html: "hello\n"}
---
---
repository: registry.example.com/gone/*
pull: absent
`

func read(t *testing.T, text string) []image.Model {
	t.Helper()
	models, err := imagefile.Read([]byte(text), image.Known())
	if err != nil {
		t.Fatal(err)
	}
	return models
}

func TestRead(t *testing.T) {
	t.Parallel()
	models := read(t, shop)
	if len(models) != 3 {
		t.Fatalf("%d models", len(models))
	}
	c := image.New(append(image.Known(), models...)...)
	find := func(name string) *image.Image {
		img, err := c.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	if find("registry.example.com/gone/a/b:1").PullError == "" || find("registry.example.com/shop/api:0.9").PullError == "" || find("registry.example.com/shop/api:1").PullError != "" {
		t.Error("what can be pulled is wrong")
	}
	api := find("registry.example.com/shop/api:1")
	if uid, _, _ := api.User(); uid != 1000 || !slices.Contains(api.Env(), "MODE=test") || !slices.Contains(api.Env(), image.DefaultPath) {
		t.Errorf("user %d, environment %v", uid, api.Env())
	}
	v := vfs.NewView(vfs.NewTree("t", find("harbor.example.com/mirror/nginx").Base(), noon), "", noon)
	if text, err := v.ReadFile("/usr/share/nginx/html/index.html"); err != nil || string(text) != "hello\n" {
		t.Errorf("the page is %q, %v", text, err)
	}
	if t1 := find("harbor.example.com/mirror/nginx").Timeline(&corev1.Container{}); !t1.Served {
		t.Errorf("timeline of what is like nginx is %+v", t1)
	}
}

var noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// The program runs as described.
func TestRead_Program(t *testing.T) {
	t.Parallel()
	c := image.New(read(t, shop)...)
	img, err := c.Find("registry.example.com/shop/api:1")
	if err != nil {
		t.Fatal(err)
	}
	run := func(env ...string) (*kernel.Kernel, *strings.Builder) {
		k, out := kernel.New("", noon), &strings.Builder{}
		k.Output = func(w kernel.Written) { out.Write(w.Data) }
		k.AddSandbox(kernel.Sandbox{Name: "c", Hostname: "host-1", FS: vfs.NewView(vfs.NewTree("t", img.Base(), noon), "", noon)})
		if _, err := k.Spawn("c", img.Argv(&corev1.Container{}), append(img.Env(), env...), "/", kernel.Stdio{}); err != nil {
			t.Fatal(err)
		}
		return k, out
	}
	k, out := run()
	if stop := k.Run(noon.Add(time.Second), kernel.Budget{Steps: 100}); stop.Kind != kernel.KindExit || stop.Exit.Code != 1 || out.String() != "DB_HOST or DB_URL is not set\n" {
		t.Errorf("without the variable: %+v, %q", stop, out.String())
	}

	k, out = run("DB_HOST=db")
	get := func(after time.Duration, path string) string {
		if stop := k.Run(noon.Add(after), kernel.Budget{Steps: 100}); stop.Kind != kernel.KindUntil {
			t.Fatalf("it stopped: %+v", stop)
		}
		k.Advance(noon.Add(after))
		a := k.Processes[0].Run.Program.(*application.Running).Serve(k.Processes[0], kernel.Query{Kind: kernel.QueryHTTP, Port: 8080, Method: "GET", Path: kernel.Text(path)})
		text, _ := json.Marshal([]any{a.Outcome, a.Status, a.Body})
		return string(text)
	}
	for _, step := range []struct {
		after time.Duration
		path  string
		want  string
	}{
		{time.Second, "/healthz", `["refused",0,""]`},
		{3 * time.Second, "/healthz", `["",200,"ok"]`},
		{4 * time.Second, "/items/7?x=1", `["",200,"{\"path\": \"/items/7\"}"]`},
		{5 * time.Second, "/other", `["",404,"404 page not found\n"]`},
		{31 * time.Second, "/healthz", `["",503,"tired"]`},
	} {
		if got := get(step.after, step.path); got != step.want {
			t.Errorf("after %v, GET %s gives %s, want %s", step.after, step.path, got, step.want)
		}
	}
	k.Signal("c", 1, kernel.SIGTERM)
	stop := k.Run(noon.Add(time.Hour), kernel.Budget{Steps: 100})
	if stop.Kind != kernel.KindExit || stop.Exit.Code != 0 || stop.Exit.At.Truncate(time.Second) != 36*time.Second {
		t.Errorf("on TERM: %+v", stop)
	}
	if want := "12:00:02 host-1 is ready for db\nGET /healthz\nGET /items/7\nGET /other\nGET /healthz\nbye\n"; out.String() != want {
		t.Errorf("log is %q, want %q", out.String(), want)
	}
}

func TestRead_Errors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"no repository", "about: x", "document 1: repository: is required"},
		{"a tag", "repository: a/b:1", `document 1: repository: "a/b:1" must have neither a tag nor a digest`},
		{"an invalid name", "repository: A", `document 1: repository: "A": invalid reference format: repository name (library/A) must be lowercase`},
		{"a field that is not known", "repository: a\nfoo: 1", `document 1: error unmarshaling JSON: while decoding JSON: json: unknown field "foo"`},
		{"twice the same", "repository: nginx\n---\nrepository: docker.io/library/nginx", "document 2: repository: docker.io/library/nginx is already described by document 1"},
		{"like nothing", "repository: a\nlike: b", "document 1: like: docker.io/library/b is not a built-in image"},
		{"several faults", "repository: a\nbase: slackware\npull: maybe\nstopSignal: SIGX\nworkingDir: here",
			"document 1: pull: must be absent, denied, unreachable or empty\n" +
				`document 1: base: "slackware" must be scratch or one of alpine, buildpack, busybox, debian, distroless, redhat, ubuntu` + "\n" +
				`document 1: workingDir: "here" is not an absolute path` + "\n" + `document 1: stopSignal: "SIGX" is not a signal`},
		{"ports", "repository: a\nprogram: {ports: [{number: 0}, {number: 80}, {number: 80, tls: true}]}",
			"document 1: program.ports[0].number: 0 must be from 1 to 65535\ndocument 1: program.ports[2].number: 80 is listed twice\n" +
				"document 1: program.ports[2].tls: is for a port that answers HTTP"},
		{"answers", "repository: a\nprogram: {ports: [{number: 1, http: [{path: x, status: 99}, {path: /, from: 5s, until: 5s}]}]}",
			"document 1: program.ports[0].http[0].path: \"x\" must begin with a slash, or be *\ndocument 1: program.ports[0].http[0].status: 99 must be from 100 to 599\n" +
				"document 1: program.ports[0].http[1].until: 5s is not after 5s, when the reply begins to apply"},
		{"a duration", "repository: a\nprogram: {exit: {after: -1s, code: 256}}",
			"document 1: program.exit.code: 256 must be from 0 to 255\ndocument 1: program.exit.after: -1s must be from 0s to 87600h0m0s"},
		{"a signal", "repository: a\nprogram: {signals: {KILL: {}}}", `document 1: program.signals: "KILL" is not a signal that a program can handle`},
		{"files", "repository: a\nfiles: {etc/x: a}\ncommands: {/bin/x: nobody}", "document 1: files: \"etc/x\" is not an absolute path\ndocument 1: commands: /bin/x: there is no program \"nobody\""},
		{"a file below a file", "repository: a\nfiles: {/etc/passwd/x: y}", "document 1: files: base docker.io/library/a: add /etc/passwd/x: Not a directory"},
		{"no YAML", "repository: [", "document 1: error converting YAML to JSON: yaml: line 1: did not find expected node content"},
		{"a pattern", `repository: a` + "\n" + `missingTags: ["[", ""]`, "document 1: missingTags[0]: \"[\" is not a pattern\ndocument 1: missingTags[1]: \"\" is not a pattern"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := imagefile.Read([]byte(tt.text), image.Known())
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := imagefile.Read([]byte(strings.Repeat("pull: x\n---\n", 100)), nil); err == nil || !strings.HasSuffix(err.Error(), "\nand 180 more") {
		t.Errorf("many faults give %v", err)
	}
}

// Read accepts the example in the docs.
func TestRead_TheDocumentsExample(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../docs/IMAGES.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, block := range strings.Split(string(text), "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if strings.Contains(block, "repository:") {
			count += len(read(t, block))
		}
	}
	if count == 0 {
		t.Error("there is none")
	}
}

// Read accepts or refuses any text, and what it accepts can be used.
func FuzzRead(f *testing.F) {
	f.Add([]byte(shop))
	f.Add([]byte("repository: a\nprogram: {ports: [{number: 80, http: [{path: '*'}]}]}"))
	f.Add([]byte("repository: a/*\nlike: redis\nenv: {A: b}\nlinks: {/a: /b}\ndirectories: [/c]"))
	known := image.Known()
	f.Fuzz(func(t *testing.T, text []byte) {
		models, err := imagefile.Read(text, known)
		if err != nil {
			return
		}
		c := image.New(models...)
		for i := range models {
			name := strings.Replace(models[i].Repository, "/*", "/x", 1)
			img, err := c.Find(name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			img.Base()
			img.User()
			img.Env()
			img.Timeline(&corev1.Container{})
		}
	})
}
