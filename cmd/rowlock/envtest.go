package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rowlock/rowlock/internal/pg/tenancy"
)

// The programs that envtest starts. This binary is all of them, by the name that it is started
// under.
const (
	assetAPIServer = "kube-apiserver"
	assetEtcd      = "etcd"
	assetKubectl   = "kubectl"
)

const (
	// envtestDirVariable names the directory of the programs and of the PostgreSQL that they share.
	envtestDirVariable = "ROWLOCK_ENVTEST_DIR"
	// sharedIdle is how long that PostgreSQL runs while unused.
	sharedIdle = 5 * time.Minute
)

func envtestCommand(getenv func(string) string) *cobra.Command {
	var dir string
	command := &cobra.Command{
		Use:   "envtest",
		Short: "Create a directory of programs for controller-runtime's envtest",
		Long: "Create a directory with kube-apiserver, etcd and kubectl, and print its path. If KUBEBUILDER_ASSETS\n" +
			"is set to this path, test suites that use controller-runtime's envtest run against Rowlock\n" +
			"unchanged.\n\n" +
			"As with Kubernetes' own programs, no controllers run, unless $" + controllersVariable + "\n" +
			"names some in the syntax of `rowlock serve --controllers`, such as \"gc,namespace\" or \"*\".\n" +
			"PostgreSQL must be installed, unless $" + databaseVariable + " is the URL of one.",
		Example: "  # Run a suite against Rowlock\n" +
			"  KUBEBUILDER_ASSETS=$(rowlock envtest) go test ./...",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if dir == "" {
				dir = envtestDir(getenv)
			}
			bin, err := makeAssets(dir, filepath.SplitList(getenv("PATH")))
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(command.OutOrStdout(), bin)
			return err
		},
	}
	command.Flags().StringVar(&dir, "dir", "",
		"directory to create the programs in (default: rowlock/envtest in the user's cache directory) [$"+
			envtestDirVariable+"]")
	command.AddCommand(sharedCommand(getenv))
	return command
}

// sharedCommand runs the PostgreSQL that instances share. The instances start it.
func sharedCommand(getenv func(string) string) *cobra.Command {
	return &cobra.Command{
		Use: "postgres DIRECTORY", Hidden: true, Args: cobra.ExactArgs(1),
		Short: "Run the PostgreSQL that envtest instances share, until it has been unused for five minutes",
		RunE: func(command *cobra.Command, args []string) error {
			log := slog.New(slog.NewTextHandler(command.ErrOrStderr(), nil))
			return tenancy.Serve(command.Context(), args[0], tenancy.Options{BinDir: getenv("PG_BIN"), Idle: sharedIdle, Log: log})
		},
	}
}

// envtestDir returns the directory of a user's instances.
func envtestDir(getenv func(string) string) string {
	if dir := getenv(envtestDirVariable); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil { // as envtest itself does
		cache = os.TempDir()
	}
	return filepath.Join(cache, "rowlock", "envtest")
}

// makeAssets links the programs to this one in a directory below dir, and returns that directory,
// absolute. It replaces links of another Rowlock. It links kubectl to the one now on the path, if
// there is one, because some suites run it without a PATH.
func makeAssets(dir string, path []string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	bin, err := filepath.Abs(filepath.Join(dir, "bin"))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return "", err
	}
	kubectl, err := installedKubectl(slices.DeleteFunc(slices.Clone(path), func(entry string) bool { return filepath.Clean(entry) == bin }))
	if err != nil {
		kubectl = self // it searches for kubectl again when it is run, and reports if there is still none
	}
	for name, program := range map[string]string{assetAPIServer: self, assetEtcd: self, assetKubectl: kubectl} {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		if err := linkTo(program, filepath.Join(bin, name)); err != nil {
			return "", err
		}
	}
	return bin, nil
}

// linkTo makes path a link to a file. Concurrent readers of the path find the old link or the new
// one.
func linkTo(file, path string) error {
	if have, err := os.Readlink(path); err == nil && have == file {
		return nil
	}
	unfinished := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := errors.Join(os.RemoveAll(unfinished), os.Symlink(file, unfinished)); err != nil {
		return err
	}
	return os.Rename(unfinished, path)
}

// joinShared makes this process a member of the shared PostgreSQL, which it starts if necessary.
func joinShared(ctx context.Context, getenv func(string) string) (*tenancy.Member, error) {
	dir := filepath.Join(envtestDir(getenv), "postgres")
	return tenancy.Join(ctx, dir, func() (<-chan error, error) { return startShared(dir) })
}

// startShared starts the process that runs it. It is detached: it outlives this process, and a
// Ctrl-C does not reach it.
func startShared(dir string) (<-chan error, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "server.log")
	log, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close() //nolint:errcheck // the child has its own
	child := exec.Command(self)
	child.Args = []string{"rowlock", "envtest", "postgres", dir} // whatever this binary is called
	child.Stdout, child.Stderr = log, log
	child.Dir = dir
	apart(child)
	if err := child.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		err := child.Wait()
		if err != nil {
			said, _ := os.ReadFile(path) // the status must do
			err = fmt.Errorf("run the shared PostgreSQL: %s", cmp.Or(string(bytes.TrimSpace(said)), err.Error()))
		}
		ended <- err
	}()
	return ended, nil
}

// runKubectl runs the kubectl that is on the PATH, because Rowlock has none of its own. It serves
// directories that were made when there was none.
func runKubectl(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	path, err := installedKubectl(filepath.SplitList(os.Getenv("PATH")))
	if err != nil {
		fmt.Fprintln(stderr, "rowlock:", err)
		return 1
	}
	return runProgram(ctx, path, args, stdout, stderr)
}

// runProgram runs a program in this one's place, and returns its exit code.
func runProgram(ctx context.Context, path string, args []string, stdout, stderr io.Writer) int {
	child := exec.CommandContext(ctx, path, args...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, stdout, stderr
	var exit *exec.ExitError
	switch err := child.Run(); {
	case errors.As(err, &exit):
		return max(exit.ExitCode(), 1)
	case err != nil:
		fmt.Fprintln(stderr, "rowlock:", err)
		return 1
	}
	return 0
}

// installedKubectl returns the first kubectl in the directories that is not this binary.
func installedKubectl(dirs []string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	mine, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	for _, dir := range dirs {
		path, err := exec.LookPath(filepath.Join(dir, assetKubectl))
		if err != nil || !filepath.IsAbs(path) {
			continue
		}
		if info, err := os.Stat(path); err == nil && !os.SameFile(info, mine) {
			return path, nil
		}
	}
	return "", errors.New("envtest needs a kubectl on the PATH and found none: install kubectl in one of " +
		strings.Join(dirs, string(filepath.ListSeparator)))
}
