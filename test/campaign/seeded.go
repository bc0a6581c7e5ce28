package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// settling is how long a cluster of a build with a bug has, after the faults, until what never
// settles counts as noticed. A correct one takes a minute on a slow machine.
const settling = 3 * time.Minute

// judgeJudges builds Rowlock with each of the bugs whose names contain a text, runs a campaign on it,
// which must notice something, and prints what was noticed first. It begins with a build without a
// bug, in which nothing may be noticed.
func judgeJudges(ctx context.Context, o options, stdout io.Writer) error {
	var missed []string
	for _, b := range append([]bug{{name: "no bug"}}, bugs...) {
		correct := len(b.edits) == 0
		if o.bug != "all" && !correct && !strings.Contains(b.name, o.bug) {
			continue
		}
		began := time.Now()
		noticed, out, err := tryWith(ctx, o, b)
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(noticed, "\n")
		fmt.Fprintf(stdout, "%s, after %v: %s\n", b.name, time.Since(began).Round(time.Second), cmp.Or(first, "nothing is noticed"))
		if correct != (noticed == "") {
			missed = append(missed, b.name)
			fmt.Fprintf(stdout, "%s\n%s\n", noticed, out)
		}
	}
	if len(missed) > 0 {
		return fmt.Errorf("with the seed %d the judges are wrong about: %s", o.seed, strings.Join(missed, "; "))
	}
	return nil
}

// tryWith runs a campaign on a build with a bug until something is noticed. It returns what that
// is, empty for nothing, and all output.
func tryWith(ctx context.Context, o options, b bug) (noticed, out string, err error) {
	dir, err := os.MkdirTemp(o.dir, "rowlock-bug-")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // whatever remains is in the directory for temporary files
	if o.rowlock, err = buildWith(ctx, dir, b); err != nil {
		return "", "", err
	}
	if o.kinds = b.kinds; o.kinds == nil {
		o.kinds = ordinary
	}
	f, err := newFleet(ctx, o)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", b.name, err)
	}
	defer f.end()
	unsettled := fmt.Errorf("it has not settled %v after the faults", settling)
	bounded, cancel := context.WithTimeoutCause(ctx, o.duration+settling, unsettled)
	defer cancel()
	bounded, end := context.WithCancelCause(bounded)
	f.onWrong = func(text string) { end(errors.New(text)) }                       // the first one counts
	stop := context.AfterFunc(bounded, func() { f.fail(context.Cause(bounded)) }) // clients go on without their contexts
	defer stop()
	var said bytes.Buffer
	if err := f.campaign(bounded, &said); err != nil {
		noticed = cmp.Or(context.Cause(bounded), err).Error()
	}
	return noticed, said.String(), ctx.Err()
}
