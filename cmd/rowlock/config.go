package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/reconcile/job"
	"github.com/rowlock/rowlock/internal/registry"
	"github.com/rowlock/rowlock/internal/store"
)

// config is the configuration of `rowlock serve`, by flag or, if the flag is not given, by
// environment.
type config struct {
	listen       string
	databaseURL  string
	dataDir      string
	pgBin        string
	ephemeral    bool
	nodes        int
	zones        int
	nodeCapacity map[string]string
	images       string
	resync       time.Duration
	retain       store.Retention
	mostObjects  int
	jobBackoff   time.Duration
	startLate    bool
	controllers  []string
	gates        featureGates
	admission    string
	kubeconfig   string
	logLevel     string
	logFormat    string
	debugListen  string
	secure       secureConfig
}

// setting ties a flag to its environment variable.
type setting struct{ flag, variable string }

var settings = slices.Concat([]setting{{"listen", "ROWLOCK_LISTEN"}}, secureSettings, []setting{
	{"database-url", "DATABASE_URL"},
	{"data-dir", "ROWLOCK_DATA_DIR"},
	{"pg-bin", "PG_BIN"},
	{"ephemeral", "ROWLOCK_EPHEMERAL"},
	{"nodes", "ROWLOCK_NODES"},
	{"zones", "ROWLOCK_ZONES"},
	{"node-capacity", "ROWLOCK_NODE_CAPACITY"},
	{"images", "ROWLOCK_IMAGES"},
	{"resync", "ROWLOCK_RESYNC"},
	{"retain-for", "ROWLOCK_RETAIN_FOR"},
	{"retain-revisions", "ROWLOCK_RETAIN_REVISIONS"},
	{"retain-at-most", "ROWLOCK_RETAIN_AT_MOST"},
	{"max-objects", "ROWLOCK_MAX_OBJECTS"},
	{"job-backoff-cap", "ROWLOCK_JOB_BACKOFF_CAP"},
	{"start-late-cronjobs", "ROWLOCK_START_LATE_CRONJOBS"},
	{"controllers", "ROWLOCK_CONTROLLERS"},
	{"feature-gates", "ROWLOCK_FEATURE_GATES"},
	{"admission-control-config-file", "ROWLOCK_ADMISSION_CONTROL_CONFIG_FILE"},
	{"kubeconfig", "ROWLOCK_KUBECONFIG"},
	{"log-level", "ROWLOCK_LOG_LEVEL"},
	{"log-format", "ROWLOCK_LOG_FORMAT"},
	{"debug-listen", "ROWLOCK_DEBUG_LISTEN"},
})

// flags declares the flags with their defaults.
func (c *config) flags(f *pflag.FlagSet) {
	f.StringVar(&c.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 picks a free port")
	f.StringVar(&c.databaseURL, "database-url", "", "URL of a PostgreSQL 15 or newer (default: Rowlock runs its own)")
	f.StringVar(&c.dataDir, "data-dir", "",
		"directory of Rowlock's own PostgreSQL and of the kubeconfig (default: /var/lib/rowlock for root, "+
			"else ~/.local/share/rowlock)")
	f.StringVar(&c.pgBin, "pg-bin", "", "directory of PostgreSQL's server programs (default: searched for on PATH and in the usual places)")
	f.BoolVar(&c.ephemeral, "ephemeral", false, "keep nothing: delete the data of Rowlock's own PostgreSQL when the server stops")
	f.IntVar(&c.nodes, "nodes", 3, "number of emulated nodes of a new cluster")
	f.IntVar(&c.zones, "zones", 0, "number of zones to spread these nodes over, by the labels that cloud providers set; 0 for none")
	f.StringToStringVar(&c.nodeCapacity, "node-capacity", nil, "capacity of each of these nodes, such as cpu=64,memory=256Gi,pods=20000")
	f.StringVar(&c.images, "images", "", "YAML file that describes emulated images besides the built-in ones")
	f.DurationVar(&c.retain.Age, "retain-for", store.DefaultRetention.Age, "how long every version of every object remains readable; 0 for forever")
	f.Int64Var((*int64)(&c.retain.Revisions), "retain-revisions", int64(store.DefaultRetention.Revisions),
		"number of newest versions that remain readable regardless of age; 0 for all")
	f.Int64Var((*int64)(&c.retain.Most), "retain-at-most", int64(store.DefaultRetention.Most),
		"maximum number of versions that remain readable regardless of age; 0 for no limit")
	f.DurationVar(&c.resync, "resync", engine.DefaultResync, "pause between full resyncs, which sync every object as a safety net; 0 for none")
	f.IntVar(&c.mostObjects, "max-objects", registry.DefaultMostObjects,
		"maximum number of objects in the cluster; beyond it, clients and controllers cannot create more; 0 for no limit")
	f.DurationVar(&c.jobBackoff, "job-backoff-cap", job.DefaultBackoffCap,
		"longest delay before a Job creates new Pods after failures, in cluster time; 10m in Kubernetes")
	f.BoolVar(&c.startLate, "start-late-cronjobs", false,
		"start the latest run of a CronJob that has missed more than 100 runs, as Kubernetes does since 1.21, "+
			"instead of none")
	f.StringSliceVar(&c.controllers, "controllers", []string{"*"},
		"controllers to run, in the syntax of kube-controller-manager: '*' for all, 'NAME' to include one, "+
			"'-NAME' to exclude one; must be the same for all replicas. Names: "+strings.Join(controller.Choices(), ", "))
	f.Var(&c.gates, "feature-gates",
		"Kubernetes feature gates, such as MaxUnavailableStatefulSet=true, the only one with an effect; "+
			"must be the same for all replicas")
	f.StringVar(&c.admission, "admission-control-config-file", "",
		"file with a Kubernetes AdmissionConfiguration, in YAML, for the plugin PodSecurity: "+
			"defaults for namespaces without labels, and exemptions; must be the same for all replicas")
	f.StringVar(&c.kubeconfig, "kubeconfig", "",
		"file to write the kubeconfig to (default: in the credentials directory, if there is one, "+
			"else in the data directory)")
	f.StringVar(&c.logLevel, "log-level", "info", "log level: debug, info, warn or error")
	f.StringVar(&c.logFormat, "log-format", "text", "log format: text or json")
	f.StringVar(&c.debugListen, "debug-listen", "",
		"loopback address, such as 127.0.0.1:6060, on which to serve profiles of this process (net/http/pprof) "+
			"to every user of this machine")
	c.secure.flags(f)
	for _, s := range settings {
		flag := f.Lookup(s.flag)
		flag.Usage += " [$" + s.variable + "]"
	}
}

// environment sets the flags of a command that were not given from the environment. It ignores a
// data directory from there for a server that stores nothing, so that an image can name one for the
// others.
func environment(f *pflag.FlagSet, getenv func(string) string) error {
	chosen := f.Changed("data-dir")
	for _, s := range settings {
		value := getenv(s.variable)
		if value == "" || f.Changed(s.flag) || f.Lookup(s.flag) == nil {
			continue
		}
		if err := f.Set(s.flag, value); err != nil {
			return fmt.Errorf("environment variable %s: %w", s.variable, err)
		}
	}
	if flag := f.Lookup("ephemeral"); flag == nil || flag.Value.String() != "true" || chosen {
		return nil
	}
	return f.Set("data-dir", "")
}

// validate returns what is wrong with the configuration. It changes nothing.
func (c *config) validate() error {
	host, port, err := net.SplitHostPort(c.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("--listen: %q is not a port", port)
	}
	if err := c.secure.validate(host); err != nil {
		return err
	}
	if err := validateDebug(c.debugListen); err != nil {
		return err
	}
	if c.ephemeral && c.databaseURL != "" {
		return errors.New("--ephemeral applies only to Rowlock's own PostgreSQL: omit --database-url or --ephemeral")
	}
	if c.nodes < 0 || c.zones < 0 {
		return errors.New("--nodes, --zones: must not be negative")
	}
	if c.retain.Age < 0 || c.retain.Revisions < 0 || c.retain.Most < 0 {
		return errors.New("--retain-for, --retain-revisions, --retain-at-most: must not be negative")
	}
	if c.mostObjects < 0 {
		return errors.New("--max-objects: must not be negative")
	}
	if c.resync < 0 {
		return errors.New("--resync: must not be negative")
	}
	if c.jobBackoff <= 0 {
		return errors.New("--job-backoff-cap: must be positive")
	}
	if _, err := controller.Off(c.controllers); err != nil {
		return fmt.Errorf("--controllers: %w", err)
	}
	if _, err := readAdmission(c.admission); err != nil {
		return fmt.Errorf("--admission-control-config-file: %w", err)
	}
	if _, err := c.capacity(); err != nil {
		return err
	}
	if _, err := c.models(); err != nil {
		return err
	}
	_, err = c.logger(os.Stderr)
	return err
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// vastAmount matches a number with too many digits to write out.
var vastAmount = regexp.MustCompile(`[eE][+-]?[0-9]{3,}`)

// capacity returns --node-capacity, merged over the default; nil if it is empty.
func (c *config) capacity() (corev1.ResourceList, error) {
	if len(c.nodeCapacity) == 0 {
		return nil, nil //nolint:nilnil // nil means the default
	}
	list := corev1.ResourceList{}
	for name, amount := range c.nodeCapacity {
		if wrong := content.IsLabelKey(name); len(wrong) > 0 {
			return nil, fmt.Errorf("--node-capacity: %q is not a resource name: %s", name, strings.Join(wrong, "; "))
		}
		if len(amount) > 32 || vastAmount.MatchString(amount) {
			return nil, fmt.Errorf("--node-capacity: %s: %q is not a valid capacity of a node", name, amount)
		}
		q, err := resource.ParseQuantity(amount)
		if err != nil {
			return nil, fmt.Errorf("--node-capacity: %s: %w", name, err)
		}
		if q.CmpInt64(math.MaxInt64) > 0 { // a Quantity prints some of these wrongly
			return nil, fmt.Errorf("--node-capacity: %s: must not be larger than %d", name, math.MaxInt64)
		}
		if q.Sign() < 0 {
			return nil, fmt.Errorf("--node-capacity: %s: must not be negative", name)
		}
		list[corev1.ResourceName(name)] = q
	}
	return list, nil
}

// models returns the images that --images describes; none if it is not given.
func (c *config) models() ([]emulator.ImageModel, error) {
	if c.images == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.images)
	if err != nil {
		return nil, fmt.Errorf("--images: %w", err)
	}
	models, err := emulator.ReadImages(text)
	if err != nil {
		return nil, fmt.Errorf("--images: %s: %w", c.images, err)
	}
	return models, nil
}

// logger writes to w as configured.
func (c *config) logger(w *os.File) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.logLevel)); err != nil {
		return nil, fmt.Errorf("--log-level: %w", err)
	}
	options := &slog.HandlerOptions{Level: level}
	switch c.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, fmt.Errorf("--log-format: %q is neither text nor json", c.logFormat)
}
