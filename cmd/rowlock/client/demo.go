package client

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	v1 "github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

// demoFiles are the objects of the demonstration, in creation order.
//
//go:embed demo/*.yaml
var demoFiles embed.FS

const (
	demoNamespace = "demo"
	demoBudget    = "cache" // the name of the budget, and of the Deployment that it protects
	demoManager   = "rowlock-demo"
	// demoTimeout bounds how long the controllers of a busy machine may take for a step of the
	// demonstration.
	demoTimeout = 2 * time.Minute
)

// demoSights lists the parts of the demo: a page of the dashboard, what it shows, and a command to
// type.
var demoSights = []struct{ page, what, command string }{
	{"deployments.apps/demo/web", "healthy, to compare with", "kubectl -n demo get deployment web"},
	{"deployments.apps/demo/checkout", "a rollout stuck on an image that does not exist", "kubectl -n demo rollout undo deployment/checkout"},
	{"deployments.apps/demo/worker", "a crash loop", "kubectl -n demo logs deployment/worker"},
	{"pods/demo/giant", "a Pod that fits on no node", "kubectl -n demo describe pod giant"},
	{"pods/demo/files", "a Pod that waits for a volume: its class does not exist", "kubectl -n demo describe pvc files"},
	{"cronjobs.batch/demo/report", "a CronJob with a failed run", "kubectl -n demo get jobs"},
	{"deployments.apps/demo-team/batch", "a quota that refuses two of four Pods", "kubectl -n demo-team describe quota"},
	{"poddisruptionbudgets.policy/demo/cache", "a drain that the budget blocks", "kubectl -n demo describe pdb cache"},
}

// demoClient fills a cluster with things to look at.
type demoClient struct {
	server string
	getenv func(string) string
	remove bool
	client *client
}

// DemoCommand makes `rowlock demo`.
func DemoCommand(getenv func(string) string) *cobra.Command {
	d := &demoClient{getenv: getenv}
	command := &cobra.Command{
		Use:   "demo",
		Short: "Create workloads with instructive problems, and print what to look at",
		Long: "Create workloads with instructive problems, and print what to look at: a healthy app for comparison,\n" +
			"a stuck rollout, a crash loop, a Pod that fits on no node, a CronJob with a failed run, a quota that\n" +
			"rejects Pods, a PersistentVolumeClaim whose class does not exist, and a drain that a\n" +
			"PodDisruptionBudget blocks.\n\n" +
			"The objects are in the namespaces demo and demo-team, and one node is cordoned. The command advances\n" +
			"the cluster's clock by two hours and a quarter, so that the problems have had time to develop.\n" +
			"--delete removes everything but does not turn back the clock.",
		Example: "  # Fill a new cluster\n" +
			"  rowlock serve --ephemeral &\n" +
			"  rowlock demo\n\n" +
			"  # Remove the demonstration\n" +
			"  rowlock demo --delete",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) (err error) {
			if d.client, err = newClient(d.server, d.getenv); err != nil {
				return err
			}
			if d.remove {
				return d.clean(command.Context(), command.OutOrStdout())
			}
			return d.run(command)
		},
	}
	serverFlag(command.Flags(), &d.server)
	command.Flags().BoolVar(&d.remove, "delete", false, "delete what the demonstration created")
	return command
}

func (d *demoClient) run(command *cobra.Command) error {
	ctx := command.Context()
	for _, step := range []struct {
		file    string
		advance string
	}{{"demo/1-before.yaml", "2h"}, {"demo/2-after.yaml", "15m"}} {
		if err := d.apply(ctx, step.file); err != nil {
			return err
		}
		clock := &clockClient{server: d.server, getenv: d.getenv}
		if err := clock.advance(command, v1.ClockRequest{Advance: &v1.ClockAdvanceRequest{By: &step.advance}}); err != nil {
			return err
		}
	}
	if err := d.drain(ctx); err != nil {
		return err
	}
	return d.tell(command.OutOrStdout())
}

// apply makes the objects of a file match the file.
func (d *demoClient) apply(ctx context.Context, file string) error {
	text, err := demoFiles.ReadFile(file)
	if err != nil {
		return err
	}
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var u unstructured.Unstructured
		if err := decoder.Decode(&u.Object); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := d.applyObject(ctx, &u); err != nil {
			return fmt.Errorf("%s %s: %w", strings.ToLower(u.GetKind()), u.GetName(), err)
		}
	}
}

func (d *demoClient) applyObject(ctx context.Context, u *unstructured.Unstructured) error {
	body, err := u.MarshalJSON()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	at := d.client.base.JoinPath(objectPath(u))
	at.RawQuery = "fieldManager=" + demoManager + "&force=true"
	req, err := http.NewRequestWithContext(ctx, http.MethodPatch, at.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/apply-patch+yaml")
	req.Header.Set("Accept", "application/json")
	_, err = d.client.send(req)
	return err
}

// objectPath returns the path of an object of a kind that Rowlock serves.
func objectPath(u *unstructured.Unstructured) string {
	t := builtin.Catalogue().ByGVK(u.GroupVersionKind()).Type
	path := "/apis/" + t.Group + "/" + t.Version
	if t.Group == "" {
		path = "/api/" + t.Version
	}
	if t.Namespaced {
		path += "/namespaces/" + u.GetNamespace()
	}
	return path + "/" + t.Plural + "/" + u.GetName()
}

// drain begins to drain the node of the Pod that the budget protects, and is refused as intended.
func (d *demoClient) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	pod, err := d.protected(ctx)
	if err != nil {
		return err
	}
	node := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Node",
		"metadata": map[string]any{"name": pod.Spec.NodeName}, "spec": map[string]any{"unschedulable": true},
	}}
	if err := d.applyObject(ctx, node); err != nil {
		return fmt.Errorf("cordon %s: %w", pod.Spec.NodeName, err)
	}
	eviction := policyv1.Eviction{
		TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "Eviction"},
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name},
	}
	path := "/api/v1/namespaces/" + pod.Namespace + "/pods/" + pod.Name + "/eviction"
	switch err := d.client.do(ctx, http.MethodPost, path, nil, eviction, &metav1.Status{}); {
	case apierrors.IsTooManyRequests(err):
		return nil
	case err != nil:
		return fmt.Errorf("evict %s: %w", pod.Name, err)
	}
	return fmt.Errorf("%s was evicted, although the budget %s protects it", pod.Name, demoBudget)
}

// protected waits until the Pod that the budget protects is ready.
func (d *demoClient) protected(ctx context.Context) (*corev1.Pod, error) {
	for {
		var pods corev1.PodList
		err := d.client.do(ctx, http.MethodGet, "/api/v1/namespaces/"+demoNamespace+"/pods", map[string][]string{"labelSelector": {"app=" + demoBudget}}, nil, &pods)
		if err != nil {
			return nil, err
		}
		for i := range pods.Items {
			for _, condition := range pods.Items[i].Status.Conditions {
				if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
					return &pods.Items[i], nil
				}
			}
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("no Pod of deployment %s is ready: %w", demoBudget, ctx.Err())
		case <-time.After(progressEvery):
		}
	}
}

// tell prints the parts of the demo.
func (d *demoClient) tell(out io.Writer) error {
	fmt.Fprintf(out, "\nThe dashboard: %s\n\n", d.client.base.JoinPath("/ui/"))
	t := tabwriter.NewWriter(out, 0, 8, 3, ' ', 0)
	fmt.Fprintln(t, "WHAT\tWHERE\tTRY")
	for _, s := range demoSights {
		fmt.Fprintf(t, "%s\t%s\t%s\n", s.what, d.client.base.JoinPath("/ui/", s.page), s.command)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprint(out, "\nrowlock demo --delete removes it.\n")
	return err
}

// clean deletes what run has created, and makes the node schedulable again.
func (d *demoClient) clean(ctx context.Context, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	var nodes corev1.NodeList
	if err := d.client.do(ctx, http.MethodGet, "/api/v1/nodes", nil, nil, &nodes); err != nil {
		return err
	}
	for _, n := range nodes.Items {
		for _, owner := range n.ManagedFields {
			if owner.Manager != demoManager {
				continue
			}
			released := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": n.Name}}}
			if err := d.applyObject(ctx, released); err != nil {
				return fmt.Errorf("uncordon %s: %w", n.Name, err)
			}
		}
	}
	for _, namespace := range []string{demoNamespace, demoNamespace + "-team"} {
		var deleted map[string]any // the namespace being deleted, or a Status
		if err := d.client.do(ctx, http.MethodDelete, "/api/v1/namespaces/"+namespace, nil, nil, &deleted); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		if _, err := fmt.Fprintf(out, "namespace %s deleted\n", namespace); err != nil {
			return err
		}
	}
	return nil
}
