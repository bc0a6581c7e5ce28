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

// composeFile is what of docker-compose.yml is looked at. Unknown keys are left to Docker.
type composeFile struct {
	Services map[string]struct {
		Image       string            `json:"image"`
		Build       any               `json:"build"`
		Command     []string          `json:"command"`
		Environment map[string]string `json:"environment"`
		DependsOn   map[string]struct {
			Condition string `json:"condition"`
		} `json:"depends_on"`
		Volumes     []string       `json:"volumes"`
		Networks    []string       `json:"networks"`
		Ports       []string       `json:"ports"`
		Restart     string         `json:"restart"`
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

// What the compose file says to the replicas is what `rowlock serve` understands, and each name in it stands for something.
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
			if found && other.Healthcheck == nil && other.Build == nil {
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
	image := imageEnvironment(t)
	for _, name := range []string{"replica-1", "replica-2"} {
		s := c.Services[name]
		if len(s.Command) == 0 || s.Command[0] != "serve" {
			t.Fatalf("%s runs %q", name, s.Command)
		}
		environmentOf := maps.Clone(image)
		for variable, value := range s.Environment {
			environmentOf[variable] = interpolated(value)
		}
		got := parsed(t, s.Command[1:], environmentOf)
		if got.listen != "0.0.0.0:6443" || got.secure.credentialsDir != "/credentials" || got.databaseURL != "postgres://rowlock:rowlock@postgres/rowlock" ||
			got.secure.externalURL != "https://localhost:6443" {
			t.Errorf("%s would serve %+v", name, got)
		}
		if !slices.Contains(s.Volumes, "credentials:"+got.secure.credentialsDir) {
			t.Errorf("%s does not share the credentials: %q", name, s.Volumes)
		}
	}
	if ports := c.Services["front"].Ports; len(ports) != 1 || interpolated(ports[0]) != "127.0.0.1:6443:6443" {
		t.Errorf("the front is published as %q", ports)
	}
}

// The image serves by itself, given a database, and its health check is a command of the program.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	text := document(t, "Dockerfile")
	got := parsed(t, nil, imageEnvironment(t))
	if got.listen != "0.0.0.0:6443" || !strings.Contains(text, "EXPOSE 6443\n") {
		t.Errorf("it serves on %s", got.listen)
	}
	for _, line := range []string{
		`ENTRYPOINT ["/rowlock"]`, `CMD ["serve"]`, `CMD ["/rowlock", "health"]`, "USER 65532:65532", "FROM scratch", "CGO_ENABLED=0",
		"COPY --from=web /src/web/dist/app web/dist/app\n",
		`VOLUME ["` + got.secure.credentialsDir + `", "` + got.dataDir + `"]`,
		"--chown=65532:65532 /out/credentials " + got.secure.credentialsDir + "\n", "--chown=65532:65532 /out/data " + got.dataDir + "\n",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("the Dockerfile lacks %s", line)
		}
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(regexp.MustCompile(`(?m)^go .*$`).FindString(document(t, "go.mod")), "go "), ".0\n")
	if major = strings.TrimSuffix(major, ".0"); !strings.Contains(text, "FROM golang:"+major+" ") {
		t.Errorf("the Dockerfile does not build with Go %s, which go.mod asks for", major)
	}
}

// The proxy takes its addresses from the environment that the compose file gives it.
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

// parsed is the configuration that `rowlock serve` makes of arguments and an environment.
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

// imageEnvironment is what the Dockerfile's ENV lines set.
func imageEnvironment(t *testing.T) map[string]string {
	t.Helper()
	_, text, found := strings.Cut(strings.ReplaceAll(document(t, "Dockerfile"), "\\\n", ""), "\nENV ")
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

// withDefault is a variable of the compose file, with its default.
var withDefault = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`)

// interpolated is a value of the compose file when no variable is set.
func interpolated(value string) string { return withDefault.ReplaceAllString(value, "$1") }
