// Command rowlock is a Kubernetes control plane in one process and one PostgreSQL.
//
// Where to continue reading: serve.go assembles the program; internal/cluster is the table of
// contents of a replica.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rowlock/rowlock/cmd/rowlock/exit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := program(os.Args[0])(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// program returns what the binary does under a name: one of envtest's programs, or Rowlock itself.
func program(name string) func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	switch strings.TrimSuffix(filepath.Base(name), ".exe") {
	case assetAPIServer:
		return runAPIServer
	case assetEtcd:
		return runEtcd
	case assetKubectl:
		return runKubectl
	}
	return run
}

// run is the program: it returns the exit code, and ends soon after ctx does.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := rootCommand(os.Getenv)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(stderr, "rowlock:", err)
		return exit.CodeOf(err)
	}
	return 0
}
