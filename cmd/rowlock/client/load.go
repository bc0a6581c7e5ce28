package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/kind/metrics"
	"github.com/rowlock/rowlock/internal/load"
)

// loadClient declares loads.
type loadClient struct {
	server, namespace string
	getenv            func(string) string

	parts map[string]*string // of the load, by their names
	none  bool
}

// loadFlags are the parts of a load that have a flag with their name, and its description.
var loadFlags = [][2]string{
	{"cpu", "CPU that all Pods use together, such as 4 or 500m"},
	{"requests", "requests per second for all Pods together"},
	{"request-cpu", "CPU that one request per second takes (default 10m)"},
	{"steps", "times from now at which the load changes, with its new value, such as 5m:8,30m:2"},
	{"night", "vary the load over a day, with this value at its lowest, twelve hours after the peak"},
	{"peak", "time at which the day's load is highest, in UTC (default 15:00)"},
	{"noise", "random variation of the load, such as 10%, which changes every 15 seconds"},
	{"seed", "seed for --noise"},
	{"container", "container that has the load (default: the first one)"},
}

// LoadCommand makes `rowlock load`.
func LoadCommand(getenv func(string) string) *cobra.Command {
	c := &loadClient{getenv: getenv, parts: map[string]*string{}}
	command := &cobra.Command{
		Use:   "load KIND/NAME",
		Short: "Set the load of a workload or a Service",
		Long: "Set the load of a workload or a Service. Its ready Pods share the load equally.\n\n" +
			"`kubectl top` and HorizontalPodAutoscalers see the CPU usage that results; containers themselves do\n" +
			"not behave differently. The load is stored in the object's annotation\n" +
			load.Annotation + ", so manifests can contain it, too.",
		Example: "  # Use four cores in total\n" +
			"  rowlock load deployment/web --cpu 4\n\n" +
			"  # Receive 300 requests per second\n" +
			"  rowlock load service/web --requests 300 --request-cpu 5m\n\n" +
			"  # Use one core, eight in five minutes, and one again in half an hour\n" +
			"  rowlock load deployment/web --cpu 1 --steps 5m:8,30m:1\n\n" +
			"  # Follow a daily curve between one and eight cores\n" +
			"  rowlock load deployment/web --cpu 8 --night 1 --noise 10%\n\n" +
			"  # Remove the load\n" +
			"  rowlock load deployment/web --none",
		Args: cobra.ExactArgs(1),
		RunE: c.run,
	}
	f := command.Flags()
	serverFlag(f, &c.server)
	f.StringVarP(&c.namespace, "namespace", "n", metav1.NamespaceDefault, "namespace of the object")
	f.BoolVar(&c.none, "none", false, "remove the load")
	for _, flag := range loadFlags {
		c.parts[flag[0]] = f.String(flag[0], "", flag[1])
	}
	return command
}

// loadedKind returns the kind that a word names, as in kubectl's arguments: deployment,
// deployments, deploy.
func loadedKind(word string) *kind.Kind {
	word = strings.ToLower(word)
	word, _, _ = strings.Cut(word, ".")
	for _, k := range builtin.Catalogue().Stored() {
		if metrics.TakesLoad(&k.Type) && (word == k.Plural || word == k.Singular || slices.Contains(k.ShortNames, word)) {
			return k
		}
	}
	return nil
}

func (c *loadClient) run(command *cobra.Command, args []string) error {
	word, name, found := strings.Cut(args[0], "/")
	k := loadedKind(word)
	if !found || name == "" || k == nil {
		return fmt.Errorf("%q cannot have a load: specify an object such as deployment/NAME, service/NAME or replicaset/NAME", args[0])
	}
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(command.Context(), requestTimeout)
	defer cancel()
	text, err := c.text(ctx, server)
	if err != nil {
		return err
	}
	var value any
	if !c.none {
		value = text
	}
	doc, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{load.Annotation: value}}})
	if err != nil {
		return err
	}
	path := []string{"/apis", k.Group, k.Version, "namespaces", c.namespace, k.Plural, name}
	if k.Group == "" {
		path = append([]string{"/api"}, path[2:]...)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPatch, server.base.JoinPath(path...).String(), bytes.NewReader(doc))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/merge-patch+json")
	req.Header.Set("Accept", "application/json")
	if _, err := server.send(req); err != nil {
		return err
	}
	if c.none {
		_, err = fmt.Fprintf(command.OutOrStdout(), "%s/%s has no load\n", k.Singular, name)
	} else {
		_, err = fmt.Fprintf(command.OutOrStdout(), "%s/%s has the load %s\n", k.Singular, name, text)
	}
	return err
}

// text returns the load in the form of the annotation. Its steps count from now, by the cluster's
// clock.
func (c *loadClient) text(ctx context.Context, server *client) (string, error) {
	var parts []string
	for _, flag := range loadFlags {
		if value := *c.parts[flag[0]]; value != "" {
			parts = append(parts, flag[0]+"="+value)
		}
	}
	if c.none {
		if len(parts) > 0 {
			return "", errors.New("--none removes the load, and cannot be combined with flags that set it")
		}
		return "", nil
	}
	if *c.parts["steps"] != "" {
		var now v1.Clock
		if err := server.do(ctx, http.MethodGet, v1.ClockPath, nil, nil, &now); err != nil {
			return "", err
		}
		parts = append(parts, "since="+now.Now.UTC().Truncate(time.Second).Format(time.RFC3339))
	}
	text := strings.Join(parts, " ")
	if _, err := load.Parse(text, time.Time{}); err != nil {
		return "", fmt.Errorf("parse the load: %w", err)
	}
	return text, nil
}
