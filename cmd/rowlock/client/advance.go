package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	v1 "github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/cmd/rowlock/exit"
	"github.com/rowlock/rowlock/internal/clock"
)

const (
	// progressEvery is the time between two polls of a current advance.
	progressEvery = 500 * time.Millisecond
	// outage is how long a server may be unreachable while an advance is watched.
	outage = 15 * time.Second
)

func (c *clockClient) advanceCommand() *cobra.Command {
	var to string
	var toNext, wait bool
	command := &cobra.Command{
		Use:   "advance [DURATION]",
		Short: "Let time pass, with everything that becomes due happening at its own time",
		Long: "Let time pass as fast as the cluster can work. The clock stands still until everything that is due\n" +
			"is done, then jumps to the next time at which something is due, and so on until it reaches the\n" +
			"target. Afterwards it runs or stays paused as before.\n\n" +
			"DURATION is a duration such as 90s, 36h, 1d or 2d12h; 0s waits until everything that is due now is\n" +
			"done. Only one advance can be in progress. Ctrl-C interrupts it: the clock stays at the time it has\n" +
			"reached.\n\n" +
			"Exit codes: 0 if the clock has reached the target; 1 if the advance was refused or failed; 2 if a\n" +
			"flag or argument does not exist; 130 after Ctrl-C.",
		Example: "  # Let ten minutes pass\n" +
			"  rowlock clock advance 10m\n\n" +
			"  # Go to a time\n" +
			"  rowlock clock advance --to 2030-01-01T00:00:00Z\n\n" +
			"  # Go to the next time at which something is due\n" +
			"  rowlock clock advance --to-next",
		Args: cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			r, err := advanceRequest(args, to, toNext)
			if err == nil {
				err = c.validate()
			}
			if err != nil {
				return err
			}
			if !wait {
				return c.request(command, http.MethodPost, v1.ClockPath, r)
			}
			return c.advance(command, r)
		},
	}
	command.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if negative.MatchString(err.Error()) {
			return exit.Error{Code: exit.Misused, Err: errors.New("the duration must not be negative: the clock does not go backwards")}
		}
		return exit.Misuse(command, err)
	})
	command.Flags().StringVar(&to, "to", "", "advance to this time, such as 2030-01-01T00:00:00Z")
	command.Flags().BoolVar(&toNext, "to-next", false, "advance to the next time at which something is due")
	command.Flags().BoolVar(&wait, "wait", true, "wait until the clock reaches the target; with --wait=false, the advance continues in the background")
	return command
}

// negative matches the refusal of an argument such as -1h, which looks like flags.
var negative = regexp.MustCompile(`unknown shorthand flag: '[0-9.]'`)

// advanceRequest returns the request that the arguments describe.
func advanceRequest(args []string, to string, toNext bool) (r v1.ClockRequest, err error) {
	given := len(args)
	if to != "" {
		given++
	}
	if toNext {
		given++
	}
	if given != 1 {
		return r, errors.New("specify the target: a duration such as 1d, --to or --to-next")
	}
	r.Advance = &v1.ClockAdvanceRequest{}
	switch {
	case toNext:
		r.Advance.ToNext = &toNext
	case to != "":
		at, err := time.Parse(time.RFC3339, to)
		if err != nil {
			return r, fmt.Errorf("--to: %q is not a time such as 2030-01-01T00:00:00Z", to)
		}
		r.Advance.To = &at
	default:
		d, err := clock.ParseDuration(args[0])
		if err != nil {
			return r, err
		}
		if d < 0 || d > clock.MaxAdvance {
			return r, fmt.Errorf("%s: the duration must be from 0s to %s", args[0], clock.FormatDuration(clock.MaxAdvance))
		}
		r.Advance.By = &args[0]
	}
	return r, nil
}

// advance begins an advance and waits for its end.
func (c *clockClient) advance(command *cobra.Command, r v1.ClockRequest) error {
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return err
	}
	ctx := command.Context()
	p := &progress{out: command.ErrOrStderr(), began: time.Now()}
	now, err := c.begin(ctx, server, r)
	for err == nil && now.Advance != nil && now.Advance.Phase == string(clock.Running) {
		p.show(now)
		now, err = c.look(ctx, server)
	}
	p.clear()
	switch {
	case ctx.Err() != nil:
		return c.stop(context.WithoutCancel(ctx), command.OutOrStdout(), server)
	case err != nil:
		return err
	}
	return c.arrived(command.OutOrStdout(), now)
}

func (c *clockClient) begin(ctx context.Context, server *client, r v1.ClockRequest) (now v1.Clock, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	err = server.do(ctx, http.MethodPost, v1.ClockPath, waiting(progressEvery/5), r, &now)
	return now, err
}

// look asks how far the advance is. If the server does not answer because it or its database
// restarts, look retries for a while.
func (c *clockClient) look(ctx context.Context, server *client) (now v1.Clock, err error) {
	for deadline := time.Now().Add(outage); ; {
		asking, cancel := context.WithTimeout(ctx, requestTimeout)
		err = server.do(asking, http.MethodGet, v1.ClockPath, waiting(progressEvery), nil, &now)
		cancel()
		passing := errors.Is(err, errUnreachable) || apierrors.IsServiceUnavailable(err) || apierrors.IsInternalError(err)
		if !passing || ctx.Err() != nil {
			return now, err
		}
		if time.Now().After(deadline) {
			return now, fmt.Errorf("%w; the advance continues if another replica is running", err)
		}
		t := time.NewTimer(progressEvery)
		select {
		case <-ctx.Done():
		case <-t.C:
		}
		t.Stop()
	}
}

// stop interrupts the advance after Ctrl-C.
func (c *clockClient) stop(ctx context.Context, out io.Writer, server *client) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var now v1.Clock
	if err := server.do(ctx, http.MethodDelete, v1.AdvancePath, nil, nil, &now); err != nil {
		return exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("the advance was not interrupted: %w", err)}
	}
	if c.output == "json" {
		if err := c.print(out, now); err != nil {
			return err
		}
	}
	return exit.Error{Code: exit.Interrupted, Err: fmt.Errorf("interrupted at %s", timeText(now.Now))}
}

// arrived reports where the clock is when the advance is over.
func (c *clockClient) arrived(out io.Writer, now v1.Clock) error {
	if c.output == "json" {
		return c.print(out, now)
	}
	a := now.Advance
	if a == nil || a.Ended == nil {
		return errors.New("the server no longer has a record of the advance")
	}
	by := clock.FormatDuration(a.Ended.Sub(a.From).Round(time.Millisecond))
	if a.Phase != string(clock.Done) {
		return fmt.Errorf("another client interrupted the advance at %s, after %s", timeText(*a.Ended), by)
	}
	_, err := fmt.Fprintf(out, "advanced by %s to %s in %s\n", by, timeText(*a.Ended), stepsText(a.Steps))
	return err
}

func stepsText(n int64) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// progress shows how far an advance is in one line of a terminal, and nothing elsewhere.
type progress struct {
	out   io.Writer
	began time.Time
	shown bool
}

func (p *progress) show(now v1.Clock) {
	f, ok := p.out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return
	}
	p.shown = true
	line := timeText(now.Now) + ", " + stepsText(now.Advance.Steps)
	if a := now.Advance; a.To != nil {
		if all := a.To.Sub(a.From); all > 0 {
			part := float64(now.Now.Sub(a.From)) / float64(all)
			line += fmt.Sprintf(", %.0f %% of %s", 100*part, clock.FormatDuration(all.Round(time.Second)))
			if took := time.Since(p.began); part > 0.02 && took > time.Second {
				line += fmt.Sprintf(", about %s left", time.Duration(float64(took)*(1-part)/part).Round(time.Second))
			}
		}
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", line)
}

// clear erases the line.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
