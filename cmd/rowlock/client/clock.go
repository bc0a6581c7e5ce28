package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	v1 "github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/clock"
)

// clockClient implements the commands for a server's clock.
type clockClient struct {
	server string
	output string
	getenv func(string) string
}

// ClockCommand makes `rowlock clock`.
func ClockCommand(getenv func(string) string) *cobra.Command {
	c := &clockClient{getenv: getenv}
	command := &cobra.Command{
		Use:   "clock",
		Short: "Show, pause, speed up or advance the cluster's clock",
		Long: "Show, pause, speed up or advance the cluster's clock.\n\n" +
			"All replicas share the clock. Everything that the cluster does by itself follows it: deadlines,\n" +
			"back-offs, schedules, emulated programs, ages. Clients outside the cluster do not.",
		Example: "  # Show the time, and what is due next\n" +
			"  rowlock clock\n\n" +
			"  # Pause the cluster: only clients change anything\n" +
			"  rowlock clock pause\n\n" +
			"  # Let a day pass; everything that becomes due happens at its own time\n" +
			"  rowlock clock advance 1d\n\n" +
			"  # Go to the next time at which something is due\n" +
			"  rowlock clock advance --to-next\n\n" +
			"  # Let a minute pass in each second\n" +
			"  rowlock clock speed 60",
		Args: cobra.NoArgs,
		RunE: c.show,
	}
	serverFlag(command.PersistentFlags(), &c.server)
	command.PersistentFlags().StringVarP(&c.output, "output", "o", "", "output format: json prints the server's answer")
	command.AddCommand(
		&cobra.Command{Use: "show", Short: "Show the time and what is due next", Args: cobra.NoArgs, RunE: c.show},
		&cobra.Command{
			Use: "pause", Short: "Pause the clock",
			Args: cobra.NoArgs, RunE: c.set(pauseRequest(true)),
		},
		&cobra.Command{
			Use: "resume", Short: "Resume the clock at its speed before the pause",
			Args: cobra.NoArgs, RunE: c.set(pauseRequest(false)),
		},
		&cobra.Command{
			Use: "speed FACTOR", Short: "Run the clock at a multiple of real time",
			Long: fmt.Sprintf("Run the clock at a multiple of real time, from %g to %d: 1 is real time, 60 lets a minute pass\n"+
				"in each second, and 0 pauses the clock.\n\n"+
				"The factor also multiplies the delay with which controllers and clients react. To have everything\n"+
				"happen at its own time, use `rowlock clock advance`.", clock.MinSpeed, clock.MaxSpeed),
			Args: cobra.ExactArgs(1), RunE: c.set(speedRequest),
		},
		c.advanceCommand(),
		&cobra.Command{Use: "interrupt", Short: "Interrupt the current advance; the clock stays where it is", Args: cobra.NoArgs, RunE: c.interrupt},
	)
	return command
}

// pauseRequest pauses or resumes the clock.
func pauseRequest(paused bool) func(args []string) (v1.ClockRequest, error) {
	return func([]string) (v1.ClockRequest, error) { return v1.ClockRequest{Paused: new(paused)}, nil }
}

func speedRequest(args []string) (v1.ClockRequest, error) {
	speed, err := strconv.ParseFloat(args[0], 64)
	if err != nil || math.IsNaN(speed) || speed < 0 || speed > clock.MaxSpeed {
		return v1.ClockRequest{}, fmt.Errorf("%q: %w", args[0], clock.ErrSpeed)
	}
	return v1.ClockRequest{Speed: &speed}, nil
}

// show prints the clock.
func (c *clockClient) show(command *cobra.Command, _ []string) error {
	return c.request(command, http.MethodGet, v1.ClockPath, nil)
}

// set sends a command's request, and prints the resulting clock.
func (c *clockClient) set(request func(args []string) (v1.ClockRequest, error)) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error {
		r, err := request(args)
		if err != nil {
			return err
		}
		return c.request(command, http.MethodPost, v1.ClockPath, r)
	}
}

func (c *clockClient) interrupt(command *cobra.Command, _ []string) error {
	return c.request(command, http.MethodDelete, v1.AdvancePath, nil)
}

func (c *clockClient) request(command *cobra.Command, method, path string, body any) error {
	if err := c.validate(); err != nil {
		return err
	}
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(command.Context(), requestTimeout)
	defer cancel()
	var shown v1.Clock
	if err := server.do(ctx, method, path, nil, body, &shown); err != nil {
		return err
	}
	return c.print(command.OutOrStdout(), shown)
}

func (c *clockClient) validate() error {
	if c.output != "" && c.output != "json" {
		return errOutput(c.output)
	}
	return nil
}

func (c *clockClient) print(w io.Writer, shown v1.Clock) error {
	if c.output == "json" {
		doc, err := json.MarshalIndent(shown, "", "  ")
		if err == nil {
			_, err = fmt.Fprintln(w, string(doc))
		}
		return err
	}
	return describe(w, shown)
}

// describe prints the state of the clock for people.
func describe(w io.Writer, c v1.Clock) error {
	t := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintf(t, "TIME\t%s\n", timeText(c.Now))
	switch a := c.Advance; {
	case a != nil && a.Phase == string(clock.Running):
		fmt.Fprintf(t, "STATE\tadvancing from %s%s, %s so far\n", timeText(a.From), target(a), stepsText(a.Steps))
	case c.Paused:
		fmt.Fprintf(t, "STATE\tpaused\n")
	case c.Speed == 1:
		fmt.Fprintf(t, "STATE\trunning\n")
	default:
		fmt.Fprintf(t, "STATE\trunning, %s times as fast as real time\n", strconv.FormatFloat(c.Speed, 'f', -1, 64))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := list(w, "\nDUE\tIN\tCONTROLLER\tOBJECT\n", c.Due, func(work v1.ClockWork) string {
		in := "now"
		if left := work.At.Sub(c.Now); left > 0 {
			in = clock.FormatDuration(max(left.Round(time.Second), time.Second))
		}
		return timeText(work.At) + "\t" + in
	}); err != nil {
		return err
	}
	return list(w, "\nFAILED\tCONTROLLER\tOBJECT\n", c.Failing, func(work v1.ClockWork) string {
		return fmt.Sprintf("%d times", work.Attempts)
	})
}

// list prints a table of work, if there is any: the result of first, the controller and the object.
func list(w io.Writer, header string, all []v1.ClockWork, first func(v1.ClockWork) string) error {
	if len(all) == 0 {
		return nil
	}
	t := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprint(t, header)
	for _, work := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\n", first(work), work.Controller, objectText(work))
	}
	return t.Flush()
}

// objectText names an object as kubectl does: pod/web-0 -n shop.
func objectText(w v1.ClockWork) string {
	switch {
	case w.Kind == "":
		return w.Name
	case w.Namespace == "":
		return strings.ToLower(w.Kind) + "/" + w.Name
	}
	return strings.ToLower(w.Kind) + "/" + w.Name + " -n " + w.Namespace
}

func target(a *v1.ClockAdvance) string {
	if a.To == nil {
		return " to the next due time"
	}
	return " to " + timeText(*a.To)
}

// timeText formats a time to the second, the precision of objects.
func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// waiting asks the server to delay the answer.
func waiting(d time.Duration) url.Values { return url.Values{"wait": {d.String()}, "due": {"0"}} }
