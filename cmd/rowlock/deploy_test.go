package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"
)

// composeFile is the part of docker-compose.yml that the tests read. Unknown keys are left to
// Docker.
type composeFile struct {
	Services map[string]struct {
		Image string `json:"image"`
		Build *struct {
			Context          string            `json:"context"`
			DockerfileInline string            `json:"dockerfile_inline"`
			Args             map[string]string `json:"args"`
		} `json:"build"`
		PullPolicy  string            `json:"pull_policy"`
		Command     []string          `json:"command"`
		Environment map[string]string `json:"environment"`
		DependsOn   map[string]struct {
			Condition string `json:"condition"`
		} `json:"depends_on"`
		Volumes     []string       `json:"volumes"`
		Networks    []string       `json:"networks"`
		Ports       []string       `json:"ports"`
		Restart     string         `json:"restart"`
		StopSignal  string         `json:"stop_signal"`
		Healthcheck map[string]any `json:"healthcheck"`
	} `json:"services"`
	Networks map[string]any `json:"networks"`
	Volumes  map[string]any `json:"volumes"`
}

func compose(t *testing.T) (c composeFile) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(document(t, "docker-compose.yml")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestComposeFile: `rowlock serve` understands the configuration of the replicas in the compose
// file, and each name in it refers to something.
func TestComposeFile(t *testing.T) {
	t.Parallel()
	c := compose(t)
	if got, want := slices.Sorted(maps.Keys(c.Services)), []string{"front", "postgres", "replica-1", "replica-2"}; !slices.Equal(got, want) {
		t.Fatalf("services %q, want %q", got, want)
	}
	for name, s := range c.Services {
		if s.Restart == "" {
			t.Errorf("%s has no restart policy", name)
		}
		for on, how := range s.DependsOn {
			other, found := c.Services[on]
			if !found || how.Condition != "service_healthy" {
				t.Errorf("%s depends on %s: %q", name, on, how.Condition)
			}
			if found && other.Healthcheck == nil && other.Image != "rowlock" {
				t.Errorf("%s waits for %s to be healthy, which has no health check of its own or of our image", name, on)
			}
		}
		for _, n := range s.Networks {
			if _, found := c.Networks[n]; !found {
				t.Errorf("%s: there is no network %s", name, n)
			}
		}
		for _, v := range s.Volumes {
			from, _, _ := strings.Cut(v, ":")
			if _, found := c.Volumes[from]; found {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, from)); !strings.HasPrefix(from, "./") || err != nil {
				t.Errorf("%s: %s is neither a volume nor a file (%v)", name, from, err)
			}
		}
	}
	image := imageEnvironment(t, "rowlock")
	for _, name := range []string{"replica-1", "replica-2"} {
		s := c.Services[name]
		if len(s.Command) == 0 || s.Command[0] != "serve" {
			t.Fatalf("%s runs %q", name, s.Command)
		}
		environmentOf := maps.Clone(image)
		for variable, value := range s.Environment {
			environmentOf[variable] = interpolated(value)
		}
		if password := environmentOf["PGPASSWORD"]; password != interpolated(c.Services["postgres"].Environment["POSTGRES_PASSWORD"]) {
			t.Errorf("%s logs in to PostgreSQL with another password than its own", name)
		}
		delete(environmentOf, "PGPASSWORD") // the database's driver reads it
		got := parsed(t, s.Command[1:], environmentOf)
		if got.listen != "0.0.0.0:6443" || got.secure.credentialsDir != "/credentials" || got.databaseURL != "postgres://rowlock@postgres/rowlock?sslmode=disable" ||
			got.secure.externalURL != "https://localhost:6443" || !slices.Equal(got.secure.names, []string{"front"}) {
			t.Errorf("%s would serve %+v", name, got)
		}
		if s.Image != "rowlock" || s.PullPolicy != "never" {
			t.Errorf("%s runs the image %s, pulled %q: it is in no registry", name, s.Image, s.PullPolicy)
		}
		if !slices.Contains(s.Volumes, "credentials:"+got.secure.credentialsDir) {
			t.Errorf("%s does not share the credentials: %q", name, s.Volumes)
		}
	}
	// Two services that build one image would race for its tag.
	if c.Services["replica-1"].Build == nil || c.Services["replica-2"].Build != nil {
		t.Error("the image is not built by replica-1 alone")
	}
	front := c.Services["front"]
	if front.Healthcheck == nil || front.StopSignal != "SIGTERM" {
		t.Errorf("the front has the health check %v and stops on %q", front.Healthcheck, front.StopSignal)
	}
	if front.Build == nil || !strings.Contains(front.Build.DockerfileInline, "COPY --chmod=644 haproxy.cfg ") {
		t.Error("the front does not have its configuration inside")
	} else if _, err := os.Stat(filepath.Join(root, front.Build.Context, "haproxy.cfg")); err != nil {
		t.Error(err)
	}
	if ports := front.Ports; len(ports) != 1 || interpolated(ports[0]) != "127.0.0.1:6443:6443" {
		t.Errorf("the front is published as %q", ports)
	}
}

// TestDockerfile: the image serves without arguments, given a database, and its health check is a
// command of the program.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	text := stage(t, "rowlock")
	got := parsed(t, nil, imageEnvironment(t, "rowlock"))
	if got.listen != "0.0.0.0:6443" {
		t.Errorf("it serves on %s", got.listen)
	}
	for _, line := range []string{
		"EXPOSE 6443\n", `ENTRYPOINT ["/rowlock"]`, `CMD ["serve"]`, `CMD ["/rowlock", "health"]`, "USER 65532:65532", "FROM scratch ",
		`VOLUME ["` + got.secure.credentialsDir + `"]`, // and not the data's directory, which is empty if the database is elsewhere
		"--chown=65532:65532 /out/credentials " + got.secure.credentialsDir + "\n", "--chown=65532:65532 /out/data " + got.dataDir + "\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the image lacks %s", line)
		}
	}
	all := document(t, "Dockerfile")
	if !strings.HasSuffix(all, text) {
		t.Error("without a target, another image is built")
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(regexp.MustCompile(`(?m)^go .*$`).FindString(document(t, "go.mod")), "go "), ".0\n")
	if major = strings.TrimSuffix(major, ".0"); !strings.Contains(all, "FROM --platform=$BUILDPLATFORM golang:"+major+"-alpine ") {
		t.Errorf("the Dockerfile does not build with Go %s, which go.mod asks for", major)
	}
	for _, line := range []string{"CGO_ENABLED=0", "COPY --from=web /src/web/dist/app web/dist/app\n", "GOARCH=${TARGETARCH}"} {
		if !strings.Contains(stage(t, "build"), line) {
			t.Errorf("the program is built without %s", line)
		}
	}
}

// TestDockerfile_Standalone: the image with a PostgreSQL inside serves without arguments, and keeps
// everything in the volume of PostgreSQL's image. It can also be configured to store nothing.
func TestDockerfile_Standalone(t *testing.T) {
	t.Parallel()
	text, variables := stage(t, "standalone"), imageEnvironment(t, "standalone")
	const volume = "/var/lib/postgresql/data/"
	got := parsed(t, nil, variables)
	if got.listen != "0.0.0.0:6443" || !strings.HasPrefix(got.secure.credentialsDir, volume) || !strings.HasPrefix(got.dataDir, volume) {
		t.Errorf("it would serve %+v", got)
	}
	for _, line := range []string{
		"EXPOSE 6443\n", `ENTRYPOINT ["rowlock"]`, `CMD ["serve"]`, `CMD ["rowlock", "health"]`, "USER postgres\n", "FROM postgres:", "STOPSIGNAL SIGTERM\n",
		"COPY --from=build /out/rowlock /usr/local/bin/rowlock\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the image lacks %s", line)
		}
	}
	if strings.Contains(text, "\nRUN ") {
		t.Error("a command of another platform's image would need an emulator")
	}
	if got := parsed(t, []string{"--ephemeral"}, variables); !got.ephemeral || got.dataDir != "" {
		t.Errorf("a server that keeps nothing would have its data in %q", got.dataDir)
	}
	if got := parsed(t, []string{"--ephemeral", "--data-dir=/chosen"}, variables); got.dataDir != "/chosen" {
		t.Errorf("a data directory that was chosen is dropped without a word: %q", got.dataDir)
	}
}

// TestDockerfile_Labels: both images have the labels of the Open Container Initiative.
func TestDockerfile_Labels(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rowlock", "standalone"} {
		for _, label := range []string{"title", "description", "licenses", "version", "revision", "source"} {
			if !strings.Contains(stage(t, name), " org.opencontainers.image."+label+`="`) {
				t.Errorf("%s has no label %s", name, label)
			}
		}
	}
}

// stage returns the part of the Dockerfile that makes the image with that name.
func stage(t *testing.T, name string) string {
	t.Helper()
	text := document(t, "Dockerfile")
	head := regexp.MustCompile(`(?m)^FROM .* AS ` + name + `$`).FindStringIndex(text)
	if head == nil {
		t.Fatalf("the Dockerfile has no target %s", name)
	}
	text = text[head[0]:]
	if next := strings.Index(text, "\nFROM "); next >= 0 {
		text = text[:next]
	}
	return text
}

// TestProxyConfiguration: the proxy takes its addresses from the environment in the compose file.
func TestProxyConfiguration(t *testing.T) {
	t.Parallel()
	var want []string
	for _, match := range regexp.MustCompile(`\$\{(\w+)\}`).FindAllStringSubmatch(document(t, "deploy/haproxy.cfg"), -1) {
		want = append(want, match[1])
	}
	slices.Sort(want)
	got := slices.Sorted(maps.Keys(compose(t).Services["front"].Environment))
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("the compose file gives the proxy %q, and it reads %q", got, want)
	}
}

// parsed returns the configuration that `rowlock serve` makes from arguments and an environment.
func parsed(t *testing.T, args []string, variables map[string]string) (c config) {
	t.Helper()
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.flags(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, s := range settings {
		known[s.variable] = true
	}
	for variable := range variables {
		if !known[variable] {
			t.Errorf("`rowlock serve` does not know %s", variable)
		}
	}
	if err := environment(flags, func(name string) string { return variables[name] }); err != nil {
		t.Fatal(err)
	}
	if err := c.validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// imageEnvironment returns what the ENV lines of a target of the Dockerfile set.
func imageEnvironment(t *testing.T, target string) map[string]string {
	t.Helper()
	_, text, found := strings.Cut(strings.ReplaceAll(stage(t, target), "\\\n", ""), "\nENV ")
	text, _, ended := strings.Cut(text, "\n")
	if !found || !ended {
		t.Fatal("the Dockerfile has no ENV")
	}
	variables := map[string]string{}
	for _, assignment := range strings.Fields(text) {
		name, value, _ := strings.Cut(assignment, "=")
		variables[name] = value
	}
	return variables
}

var (
	// withDefault matches a variable of the compose file with its default, and ifSet one with its
	// value if it is set.
	withDefault = regexp.MustCompile(`\$\{\w+:-([^{}]*)\}`)
	ifSet       = regexp.MustCompile(`\$\{\w+:\+[^{}]*\}`)
)

// interpolated returns a value of the compose file with no variable set. Variables may be nested.
func interpolated(value string) string {
	for {
		inner := ifSet.ReplaceAllString(withDefault.ReplaceAllString(value, "$1"), "")
		if inner == value {
			return value
		}
		value = inner
	}
}
