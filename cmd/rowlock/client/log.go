package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/rowlock/rowlock/api/v1"
)

// logClient implements the commands for a server's log.
type logClient struct {
	server, output, namespace string
	follow                    bool
	limit                     int
	getenv                    func(string) string
}

// LogCommand makes `rowlock log`.
func LogCommand(getenv func(string) string) *cobra.Command {
	c := &logClient{getenv: getenv}
	command := &cobra.Command{
		Use:   "log [RESOURCE [NAME]]",
		Short: "Show who changed what, and follow new changes",
		Long: "Show the latest changes of the cluster, each with the user and client or the controller that made\n" +
			"it. RESOURCE is the plural name of a resource with its group, such as pods or deployments.apps.",
		Example: "  # Show the latest changes\n" +
			"  rowlock log\n\n" +
			"  # Follow the changes of the Pods in a namespace\n" +
			"  rowlock log pods -n shop --follow\n\n" +
			"  # Show the changes of one object\n" +
			"  rowlock log deployments.apps web\n\n" +
			"  # Show what caused a change, back to the original request\n" +
			"  rowlock log why 1234",
		Args: cobra.MaximumNArgs(2),
		RunE: c.show,
	}
	serverFlag(command.PersistentFlags(), &c.server)
	command.PersistentFlags().StringVarP(&c.output, "output", "o", "", "output format: json prints the server's answer")
	f := command.Flags()
	f.StringVarP(&c.namespace, "namespace", "n", "", "show only changes in this namespace (default: all namespaces)")
	f.BoolVarP(&c.follow, "follow", "f", false, "print new changes as they are made")
	f.IntVar(&c.limit, "limit", 20, "number of latest changes to show, at most 1000")
	command.AddCommand(&cobra.Command{
		Use: "why REVISION", Short: "Show what caused a change, back to the original request", Args: cobra.ExactArgs(1), RunE: c.why,
	})
	return command
}

// query returns the query that the command describes.
func (c *logClient) query(args []string) url.Values {
	q := url.Values{}
	for i, name := range []string{"resource", "name"} {
		if i < len(args) {
			q.Set(name, args[i])
		}
	}
	if c.namespace != "" {
		q.Set("namespace", c.namespace)
	}
	return q
}

func (c *logClient) show(command *cobra.Command, args []string) error {
	if c.output != "" && c.output != "json" {
		return errOutput(c.output)
	}
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	q := c.query(args)
	q.Set("newest", "true")
	q.Set("limit", strconv.Itoa(c.limit))
	ctx, cancel := context.WithTimeout(command.Context(), requestTimeout)
	defer cancel()
	var list v1.ChangeList
	if err := server.do(ctx, http.MethodGet, v1.ChangesPath, q, nil, &list); err != nil {
		return err
	}
	slices.Reverse(list.Items)
	out := changePrinter{w: command.OutOrStdout(), json: c.output == "json"}
	if err := out.print(list.Items); err != nil || !c.follow {
		return err
	}
	q = c.query(args)
	q.Set("after", strconv.FormatInt(list.Newest, 10))
	q.Set("watch", "true")
	return server.follow(command.Context(), q, out)
}

// follow prints changes as they happen, until ctx or the server ends it.
func (c *client) follow(ctx context.Context, q url.Values, out changePrinter) error {
	at := c.base.JoinPath(v1.ChangesPath)
	at.RawQuery = q.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	defer res.Body.Close() //nolint:errcheck // it was only read
	if res.StatusCode != http.StatusOK {
		answer, _ := io.ReadAll(io.LimitReader(res.Body, maxAnswerBytes)) // print whatever was received
		return refusal(at, res, answer)
	}
	lines := bufio.NewReader(res.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if ctx.Err() != nil {
				return nil // the user has seen enough
			}
			return fmt.Errorf("the server ended the stream: %w", err)
		}
		if len(line) == 1 {
			continue // nothing has changed for a while
		}
		var status metav1.Status
		if json.Unmarshal(line, &status) == nil && status.Kind == "Status" {
			return &apierrors.StatusError{ErrStatus: status}
		}
		var change v1.Change
		if err := json.Unmarshal(line, &change); err != nil {
			return fmt.Errorf("%s does not answer as a Rowlock server does: %w", at.Host, err)
		}
		if err := out.print([]v1.Change{change}); err != nil {
			return err
		}
	}
}

// why shows the causes of a change.
func (c *logClient) why(command *cobra.Command, args []string) error {
	if c.output != "" && c.output != "json" {
		return errOutput(c.output)
	}
	if _, err := strconv.ParseUint(args[0], 10, 63); err != nil {
		return errors.New("the revision must be a number")
	}
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(command.Context(), requestTimeout)
	defer cancel()
	var causes v1.ChangeCauses
	if err := server.do(ctx, http.MethodGet, v1.ChangesPath+"/"+args[0]+v1.CausesSuffix, nil, nil, &causes); err != nil {
		return err
	}
	if c.output == "json" {
		return printJSON(command.OutOrStdout(), causes)
	}
	t := tabwriter.NewWriter(command.OutOrStdout(), 0, 8, 3, ' ', 0)
	fmt.Fprint(t, "REVISION\tTIME\tCHANGE\tBY\n")
	for _, change := range causes.Items {
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", change.Revision, timeText(change.At), changeText(change), writerText(change.Writer))
	}
	if err := t.Flush(); err != nil || causes.Reason == "" {
		return err
	}
	_, err = fmt.Fprintf(command.OutOrStdout(), "%s.\n", causes.Reason)
	return err
}

// changePrinter prints changes as lines.
type changePrinter struct {
	w    io.Writer
	json bool
}

func (p changePrinter) print(changes []v1.Change) error {
	for _, c := range changes {
		line := fmt.Sprintf("%-9d %s  %s, by %s", c.Revision, timeText(c.At), changeText(c), writerText(c.Writer))
		if c.Cause > 0 {
			line += fmt.Sprintf(", due to %d", c.Cause)
		}
		if p.json {
			doc, err := json.Marshal(c)
			if err != nil {
				return err
			}
			line = string(doc)
		}
		if _, err := fmt.Fprintln(p.w, line); err != nil {
			return err
		}
	}
	return nil
}

// changeText describes a change: updated deployment/web -n shop.
func changeText(c v1.Change) string {
	text := c.Verb + " " + strings.ToLower(c.Kind) + "/" + c.Name
	if c.Namespace != "" {
		text += " -n " + c.Namespace
	}
	return printable(text)
}

// writerText names who made a change.
func writerText(w v1.ChangeWriter) string {
	agent, _, _ := strings.Cut(w.UserAgent, " ")
	switch {
	case w.Controller != "":
		return printable(w.Controller)
	case w.User != "" && agent != "":
		return printable(w.User + " with " + agent)
	case w.User != "":
		return printable(w.User)
	case agent != "":
		return printable(agent)
	}
	return "a client"
}

// printable returns a text that is safe to print on a terminal: control characters and line breaks
// are escaped.
func printable(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.Quote(text)
	return quoted[1 : len(quoted)-1]
}
