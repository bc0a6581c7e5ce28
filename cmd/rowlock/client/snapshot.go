package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	v1 "github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/snapshot"
)

// longTimeout bounds a request that moves a whole cluster.
const longTimeout = 30 * time.Minute

// snapshotClient implements the commands for snapshots.
type snapshotClient struct {
	server string
	getenv func(string) string

	file      string
	at        int64
	since     int64
	revisions string
	replace   bool
	clock     string
}

// SnapshotCommand makes `rowlock snapshot`.
func SnapshotCommand(getenv func(string) string) *cobra.Command {
	c := &snapshotClient{getenv: getenv}
	command := &cobra.Command{
		Use:   "snapshot",
		Short: "Save the cluster's state, and load it later",
		Long: "Save the state of the cluster at one revision, and load it later: objects with their UIDs and\n" +
			"resourceVersions, the state of programs and controllers, and the time. A snapshot is kept on the\n" +
			"server under a name, or written to a file.",
		Example: "  # Save a snapshot on the server, and return to it\n" +
			"  rowlock snapshot save before\n" +
			"  rowlock snapshot load before --replace\n\n" +
			"  # Move a cluster to another server\n" +
			"  rowlock snapshot save -o demo.rls\n" +
			"  rowlock snapshot load -f demo.rls --server http://127.0.0.1:8081\n\n" +
			"  # Save the changes after revision 1200\n" +
			"  rowlock snapshot save -o log.rls --since 1200",
		Args: cobra.NoArgs,
	}
	serverFlag(command.PersistentFlags(), &c.server)
	save := &cobra.Command{
		Use: "save [NAME]", Short: "Save the cluster's state or a range of its log", Args: cobra.MaximumNArgs(1),
		Long: "Save the cluster's state or, with --range or --since, the changes in a range of its log, in order. A\n" +
			"range is a record of what happened, and cannot be loaded.\n\n" +
			"If no name is given, it is generated from the time. The file consists of lines of JSON, compressed\n" +
			"with gzip; zcat prints it.",
		RunE: c.save,
	}
	save.Flags().StringVarP(&c.file, "output", "o", "", "write to this file instead of keeping the snapshot on the server; - is standard output")
	save.Flags().Int64Var(&c.at, "at", 0, "revision to save, if the log still has it (default: the newest, with the state of programs and controllers)")
	save.Flags().StringVar(&c.revisions, "range", "", "save the changes after the first revision up to the second, in the form FROM:TO")
	save.Flags().Int64Var(&c.since, "since", 0, "save the changes after this revision")
	load := &cobra.Command{
		Use: "load [NAME]", Short: "Replace the cluster's state with a snapshot", Args: cobra.MaximumNArgs(1),
		Long: "Replace the cluster's state with a snapshot, atomically. A cluster that has objects of its own is\n" +
			"replaced only with --replace.\n\n" +
			"To look at a snapshot without replacing the cluster, create a fork of it: rowlock fork --snapshot\n" +
			"NAME.",
		RunE: c.load,
	}
	load.Flags().StringVarP(&c.file, "file", "f", "", "load this file instead of a snapshot on the server; - is standard input")
	load.Flags().BoolVar(&c.replace, "replace", false, "replace the objects that the cluster has")
	clockFlag(load.Flags(), &c.clock)
	command.AddCommand(save, load,
		&cobra.Command{Use: "list", Short: "List the snapshots on the server", Args: cobra.NoArgs, RunE: c.list},
		&cobra.Command{Use: "delete NAME", Short: "Delete a snapshot on the server", Args: cobra.ExactArgs(1), RunE: c.remove},
	)
	return command
}

func clockFlag(f *pflag.FlagSet, clock *string) {
	f.StringVar(clock, "clock", "", "whether the clock runs: paused or running; it continues from the time of the state (default: as it was in that state)")
}

// request returns what to save.
func (c *snapshotClient) request(flags *pflag.FlagSet) (r v1.SnapshotRequest, err error) {
	since, at := flags.Changed("since"), flags.Changed("at")
	switch {
	case since && c.revisions != "", at && (since || c.revisions != ""):
		return r, errors.New("specify only one of --at, --range and --since")
	case since:
		r.Log = &v1.LogRange{From: c.since}
	case c.revisions != "":
		from, to, found := strings.Cut(c.revisions, ":")
		first, err1 := strconv.ParseInt(from, 10, 64)
		last, err2 := strconv.ParseInt(to, 10, 64)
		if !found || err1 != nil || err2 != nil {
			return r, fmt.Errorf("--range: %q is not of the form FROM:TO, such as 1200:1300", c.revisions)
		}
		r.Log = &v1.LogRange{From: first, To: last}
	default:
		r.Revision = c.at
	}
	return r, nil
}

func (c *snapshotClient) save(command *cobra.Command, args []string) error {
	if len(args) > 0 && c.file != "" {
		return errors.New("specify either a name or --output, not both")
	}
	r, err := c.request(command.Flags())
	if err != nil {
		return err
	}
	server, ctx, cancel, err := c.open(command)
	if err != nil {
		return err
	}
	defer cancel()
	switch {
	case c.file != "":
		r.Name, r.Passing = passingName(), true
		defer server.forget(ctx, r.Name)
	case len(args) > 0:
		r.Name = args[0]
	default:
		r.Name = time.Now().UTC().Format("20060102-150405") // the user's time, so real time
	}
	var saved v1.Snapshot
	if err := server.do(ctx, http.MethodPost, v1.SnapshotsPath, nil, r, &saved); err != nil {
		return err
	}
	if c.file == "" {
		_, err := fmt.Fprintf(command.OutOrStdout(), "saved %s as %s\n", contents(saved), saved.Name)
		return err
	}
	if c.file == "-" {
		return server.download(ctx, saved.Name, command.OutOrStdout())
	}
	if err := server.downloadTo(ctx, saved.Name, c.file); err != nil {
		return err
	}
	_, err = fmt.Fprintf(command.OutOrStdout(), "saved %s to %s\n", contents(saved), c.file)
	return err
}

// contents describes what a snapshot holds.
func contents(s v1.Snapshot) string {
	if s.Contents == string(snapshot.Log) {
		return fmt.Sprintf("the changes %d to %d", s.From+1, s.Revision)
	}
	return fmt.Sprintf("revision %d", s.Revision)
}

func passingName() string { return "passing-" + strconv.FormatUint(rand.Uint64(), 36) }

func (c *snapshotClient) load(command *cobra.Command, args []string) error {
	if (len(args) > 0) == (c.file != "") {
		return errors.New("specify what to load: the name of a snapshot, or a file with --file")
	}
	server, ctx, cancel, err := c.open(command)
	if err != nil {
		return err
	}
	defer cancel()
	name, what := "", ""
	if c.file != "" {
		name, what = passingName(), c.file
		in := command.InOrStdin()
		if c.file != "-" {
			f, err := os.Open(c.file)
			if err != nil {
				return err
			}
			defer f.Close() //nolint:errcheck // it is only read
			in = f
		}
		if err := server.upload(ctx, name, in); err != nil {
			return err
		}
		defer server.forget(ctx, name)
	} else {
		name, what = args[0], args[0]
	}
	var loaded v1.Snapshot
	path := v1.SnapshotsPath + "/" + url.PathEscape(name) + v1.LoadSuffix
	if err := server.do(ctx, http.MethodPost, path, nil, v1.LoadRequest{Replace: c.replace, Clock: c.clock}, &loaded); err != nil {
		return err
	}
	_, err = fmt.Fprintf(command.OutOrStdout(), "loaded %s from %s; the clock shows %s\n", contents(loaded), what, timeText(loaded.Time))
	return err
}

func (c *snapshotClient) list(command *cobra.Command, _ []string) error {
	server, ctx, cancel, err := c.open(command)
	if err != nil {
		return err
	}
	defer cancel()
	var list v1.SnapshotList
	if err := server.do(ctx, http.MethodGet, v1.SnapshotsPath, nil, nil, &list); err != nil {
		return err
	}
	if len(list.Items) == 0 {
		_, err := fmt.Fprintln(command.ErrOrStderr(), "no snapshots")
		return err
	}
	t := tabwriter.NewWriter(command.OutOrStdout(), 0, 8, 3, ' ', 0)
	fmt.Fprint(t, "NAME\tHOLDS\tTIME\tRECORDS\tSIZE\tSAVED\n")
	for _, s := range list.Items {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\n", s.Name, contents(s), timeText(s.Time), s.Records, size(s.Bytes), timeText(s.Saved))
	}
	return t.Flush()
}

func size(bytes int64) string {
	switch {
	case bytes < 10<<10:
		return fmt.Sprintf("%dB", bytes)
	case bytes < 10<<20:
		return fmt.Sprintf("%dKiB", bytes>>10)
	}
	return fmt.Sprintf("%dMiB", bytes>>20)
}

func (c *snapshotClient) remove(command *cobra.Command, args []string) error {
	server, ctx, cancel, err := c.open(command)
	if err != nil {
		return err
	}
	defer cancel()
	var was v1.Snapshot
	if err := server.do(ctx, http.MethodDelete, v1.SnapshotsPath+"/"+url.PathEscape(args[0]), nil, nil, &was); err != nil {
		return err
	}
	_, err = fmt.Fprintf(command.OutOrStdout(), "deleted %s\n", was.Name)
	return err
}

func (c *snapshotClient) open(command *cobra.Command) (*client, context.Context, context.CancelFunc, error) {
	server, err := newClient(c.server, c.getenv)
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithTimeout(command.Context(), longTimeout)
	return server, ctx, cancel, nil
}

// forget removes a snapshot that is no longer needed. If that fails, it expires later.
func (c *client) forget(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTimeout)
	defer cancel()
	_ = c.do(ctx, http.MethodDelete, v1.SnapshotsPath+"/"+name, nil, nil, new(v1.Snapshot))
}

// upload sends a file.
func (c *client) upload(ctx context.Context, name string, file io.Reader) error {
	at := c.base.JoinPath(v1.SnapshotsPath, name+v1.FileSuffix)
	at.RawQuery = "passing=true"
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, at.String(), io.NopCloser(file))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/gzip")
	_, err = c.send(req)
	return err
}

// download reads a snapshot's file, and fails if it is incomplete.
func (c *client) download(ctx context.Context, name string, out io.Writer) error {
	at := c.base.JoinPath(v1.SnapshotsPath, name+v1.FileSuffix)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept-Encoding", "identity")
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	defer res.Body.Close() //nolint:errcheck // it was only read
	if res.StatusCode != http.StatusOK {
		answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswerBytes))
		if err != nil {
			return fmt.Errorf("%w: %w", errUnreachable, err)
		}
		return refusal(at, res, answer)
	}
	file, err := snapshot.NewReader(io.TeeReader(res.Body, out))
	for err == nil {
		_, err = file.Next()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// downloadTo writes a snapshot's file, which gets its name when it is complete.
func (c *client) downloadTo(ctx context.Context, name, path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(c.download(ctx, name, f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
