package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rowlock/rowlock/api/control"
	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/fault"
)

// faultClient implements the commands for a server's faults.
type faultClient struct {
	server string
	output string
	getenv func(string) string

	name, lasts string // of a new fault
}

func faultCommand(getenv func(string) string) *cobra.Command {
	c := &faultClient{getenv: getenv}
	command := &cobra.Command{
		Use:   "fault",
		Short: "Make Pods, nodes, images or requests fail on purpose",
		Long: "Have Pods, nodes, images or the API fail on purpose.\n\n" +
			"A fault holds on all replicas, survives restarts, and ends when it is deleted, when its time is over (--for), or when it has\n" +
			"happened as often as it is to.",
		Example: "  rowlock fault pod web-abc --container app --exit 1       the container ends now\n" +
			"  rowlock fault pod --selector app=web crashloop           all Pods of a workload crash, new ones too\n" +
			"  rowlock fault node node-2 unreachable --for 5m           a node is cut off for five minutes\n" +
			"  rowlock fault image 'nginx:1.29'                         an image cannot be pulled any more\n" +
			"  rowlock fault api --verb update --resource deployments --conflict --count 3\n" +
			"  rowlock fault api --status 503 --probability 0.1 --seed 7\n" +
			"  rowlock fault list\n" +
			"  rowlock fault delete --all",
		Args: cobra.NoArgs,
	}
	serverFlag(command.PersistentFlags(), &c.server)
	command.PersistentFlags().StringVarP(&c.output, "output", "o", "", "json: print faults as the server describes them")
	command.AddCommand(c.podCommand(), c.nodeCommand(), c.imageCommand(), c.apiCommand(), c.listCommand(), c.deleteCommand())
	return command
}

// newFlags declares the flags of all commands that make a fault.
func (c *faultClient) newFlags(f *pflag.FlagSet, clock string) {
	f.StringVar(&c.name, "name", "", "what the fault is to be called (default: a name that the server draws)")
	f.StringVar(&c.lasts, "for", "", "how long it lasts, by "+clock+", such as 90s or 5m (default: until it is deleted)")
}

const clusterClock, realClock = "the cluster's clock", "real time"

func (c *faultClient) podCommand() *cobra.Command {
	p := &fault.Pod{Action: fault.Exit}
	var code int32
	command := &cobra.Command{
		Use:   "pod [NAME] [" + strings.Join(fault.PodActions, "|") + "]",
		Short: "Have Pods or containers fail",
		Long: "Have Pods or containers fail. Without an action it is exit.\n\n" +
			"  exit        containers that run end now\n" +
			"  oom         they end now, as if they had taken too much memory\n" +
			"  crashloop   they end now and after each start\n" +
			"  unready     they are not ready\n" +
			"  stuck       a Pod that is being deleted does not go\n" +
			"  evict       the Pod fails, as if its node were short of memory\n\n" +
			"exit, oom and evict end when they have been carried out, the others when they are deleted or their time is over.",
		Args: cobra.MaximumNArgs(2),
	}
	f := command.Flags()
	f.StringVarP(&p.Namespace, "namespace", "n", "default", "the Pods' namespace")
	f.StringVarP(&p.Selector, "selector", "l", "", "instead of a name, the labels of the Pods; those that come later are concerned, too")
	f.StringVarP(&p.Container, "container", "c", "", "the container (default: all regular ones)")
	f.Int32Var(&code, "exit", 1, "for exit and crashloop, what containers end with")
	f.StringVar(&p.Signal, "signal", "", "for exit and crashloop, end as if by this signal, KILL, TERM, SEGV, ...")
	f.StringVar(&p.After, "after", "", "for crashloop, how long each run lasts")
	c.newFlags(f, clusterClock)
	command.RunE = func(command *cobra.Command, args []string) error {
		if p.Selector == "" {
			if len(args) == 0 {
				return errors.New("name a Pod, or select some with --selector")
			}
			p.Name, args = args[0], args[1:]
		}
		switch len(args) {
		case 0:
		case 1:
			p.Action = args[0]
		default:
			return errors.New("give either a Pod's name or --selector")
		}
		if command.Flags().Changed("exit") {
			p.ExitCode = &code
		}
		return c.create(command, control.FaultRequest{Pod: p})
	}
	return command
}

func (c *faultClient) nodeCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "node NAME unreachable|failed",
		Short: "Cut a node off, or have it crash",
		Long: "Cut a node off (unreachable: its containers go on, but nothing is heard of it) or have it crash (failed: its containers\n" +
			"die). When the fault ends the node comes back.",
		Args: cobra.ExactArgs(2),
		RunE: func(command *cobra.Command, args []string) error {
			return c.create(command, control.FaultRequest{Node: &fault.Node{Name: args[0], State: args[1]}})
		},
	}
	c.newFlags(command.Flags(), clusterClock)
	return command
}

func (c *faultClient) imageCommand() *cobra.Command {
	i := &fault.Image{}
	command := &cobra.Command{
		Use:   "image IMAGE",
		Short: "Have an image that cannot be pulled",
		Long: "Have an image that cannot be pulled: nginx:1.29, nginx for all its tags, or a pattern with *. Containers that have it already go\n" +
			"on. When the fault ends, their next attempts succeed.",
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			i.Image = args[0]
			return c.create(command, control.FaultRequest{Image: i})
		},
	}
	command.Flags().StringVar(&i.Reason, "reason", "", "why containers wait: "+strings.Join(fault.ImageReasons, ", ")+" (default "+fault.ImageReasons[0]+")")
	command.Flags().StringVar(&i.Message, "message", "", "what the error says")
	c.newFlags(command.Flags(), clusterClock)
	return command
}

func (c *faultClient) apiCommand() *cobra.Command {
	a := &fault.API{}
	var probability float64
	var dropWatch, expireWatch bool
	command := &cobra.Command{
		Use:   "api",
		Short: "Have requests to the API fail",
		Long: "Have requests to the API fail, as a server or a network does that is not well. Without --verb, --resource and the like all\n" +
			"requests of the Kubernetes API are concerned. With --probability chance decides, by a seed: the n-th request that the fault\n" +
			"concerns, counted over all replicas, always has the same outcome.",
		Args: cobra.NoArgs,
	}
	f := command.Flags()
	f.StringSliceVar(&a.Verbs, "verb", nil, "get, list, watch, create, update, patch, delete, deletecollection")
	f.StringSliceVar(&a.Resources, "resource", nil, "resources such as pods, deployments.apps, pods/log, pods/*")
	f.StringSliceVarP(&a.Namespaces, "namespace", "n", nil, "the namespaces of the objects")
	f.StringSliceVar(&a.Names, "object", nil, "the names of the objects")
	f.StringSliceVar(&a.UserAgents, "user-agent", nil, "what the client's User-Agent contains, or is like where this has a *")
	f.StringSliceVar(&a.Users, "user", nil, "the names of the users who ask")
	f.StringVar(&a.Delay, "delay", "", "how long a request waits, and each piece of a watch, up to 5m")
	f.IntVar(&a.Status, "status", 0, "the error to answer, 400 to 599")
	f.StringVar(&a.Message, "message", "", "what the error says")
	f.StringVar(&a.RetryAfter, "retry-after", "", "when the error asks the client to come back")
	f.BoolVar(&a.Conflict, "conflict", false, "answer that the object has been modified")
	f.StringVar(&a.Drop, "drop", "", "close the connection: before anything is done, or after everything is, in the middle of the answer")
	f.BoolVar(&dropWatch, "drop-watch", false, "close the connections of watches, also of those that are open")
	f.BoolVar(&expireWatch, "expire-watch", false, "end watches with 410 Expired, also those that are open")
	f.StringVar(&a.After, "after", "", "how long watches last before that")
	f.Int64Var(&a.Count, "count", 0, "how often it happens before the fault ends (default: without end)")
	f.Float64Var(&probability, "probability", 1, "how likely it is to happen, 0 to 1")
	f.Int64Var(&a.Seed, "seed", 0, "what chance is drawn from")
	c.newFlags(f, realClock)
	command.MarkFlagsMutuallyExclusive("drop-watch", "expire-watch")
	command.RunE = func(command *cobra.Command, _ []string) error {
		switch {
		case dropWatch:
			a.Watch = fault.Drop
		case expireWatch:
			a.Watch = fault.Expire
		}
		if command.Flags().Changed("probability") {
			a.Probability = &probability
		}
		return c.create(command, control.FaultRequest{API: a})
	}
	return command
}

func (c *faultClient) listCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the faults that there are", Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			var list control.FaultList
			if err := c.do(command, http.MethodGet, control.FaultsPath, nil, &list); err != nil {
				return err
			}
			if c.output == "json" {
				return printJSON(command.OutOrStdout(), list)
			}
			return tableOfFaults(command.OutOrStdout(), list.Items)
		},
	}
}

func (c *faultClient) deleteCommand() *cobra.Command {
	var all bool
	command := &cobra.Command{
		Use: "delete NAME... | --all", Short: "End faults",
		RunE: func(command *cobra.Command, args []string) error {
			if all == (len(args) > 0) {
				return errors.New("name the faults, or give --all")
			}
			var list control.FaultList
			if all {
				if err := c.do(command, http.MethodDelete, control.FaultsPath, nil, &list); err != nil {
					return err
				}
			}
			for _, name := range args {
				var f control.Fault
				if err := c.do(command, http.MethodDelete, control.FaultsPath+"/"+url.PathEscape(name), nil, &f); err != nil {
					return err
				}
				list.Items = append(list.Items, f)
			}
			for _, f := range list.Items {
				if _, err := fmt.Fprintf(command.OutOrStdout(), "fault %s deleted\n", f.Name); err != nil {
					return err
				}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&all, "all", false, "end all faults")
	return command
}

// create makes a fault and prints it.
func (c *faultClient) create(command *cobra.Command, r control.FaultRequest) error {
	r.Name, r.For = c.name, c.lasts
	var f control.Fault
	if err := c.do(command, http.MethodPost, control.FaultsPath, r, &f); err != nil {
		return err
	}
	if c.output == "json" {
		return printJSON(command.OutOrStdout(), f)
	}
	_, err := fmt.Fprintf(command.OutOrStdout(), "fault %s created: %s\n", f.Name, f.Summary)
	return err
}

func (c *faultClient) do(command *cobra.Command, method, path string, body, v any) error {
	if c.output != "" && c.output != "json" {
		return fmt.Errorf("--output: %q is not json", c.output)
	}
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(command.Context(), requestTimeout)
	defer cancel()
	return server.do(ctx, method, path, nil, body, v)
}

func printJSON(w io.Writer, v any) error {
	doc, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		_, err = fmt.Fprintln(w, string(doc))
	}
	return err
}

// tableOfFaults prints a table of faults.
func tableOfFaults(w io.Writer, all []control.Fault) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(w, "No faults.")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprint(t, "NAME\tHITS\tENDS\tFAULT\n")
	for _, f := range all {
		hits, ends := "-", "-"
		if f.API != nil {
			hits = fmt.Sprint(f.Hits)
			if f.API.Count > 0 {
				hits += fmt.Sprintf("/%d", f.API.Count)
			}
		}
		switch {
		case f.Until != nil && f.API != nil:
			ends = "in " + clock.FormatDuration(max(time.Until(*f.Until).Round(time.Second), time.Second))
		case f.Until != nil:
			ends = timeText(*f.Until)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", f.Name, hits, ends, f.Summary)
	}
	return t.Flush()
}
