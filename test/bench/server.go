package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/rowlock/rowlock/test/childprocess"
)

// readyTimeout bounds how long a server may take until it is ready.
const readyTimeout = 3 * time.Minute

// instance is a running `rowlock serve`.
type instance struct {
	command *exec.Cmd
	log     childprocess.Log
	client  *kubernetes.Clientset
	url     string
	took    time.Duration // from the start of the process to its ready line
}

// startFresh starts a server on an empty data directory, with a PostgreSQL of its own.
func startFresh(ctx context.Context, o options, args ...string) (s *instance, dataDir string, err error) {
	dataDir, err = os.MkdirTemp(o.dir, "data-")
	if err != nil {
		return nil, "", err
	}
	if err := os.Chmod(dataDir, 0o755); err != nil {
		return nil, "", err
	}
	s, err = start(ctx, o, append(args, "--data-dir="+dataDir)...)
	return s, dataDir, err
}

// start starts a server and returns when it is ready. It is killed when ctx ends. After an error
// there may be a server to end.
func start(ctx context.Context, o options, args ...string) (*instance, error) {
	args = append([]string{"serve", "--listen=127.0.0.1:0", "--nodes=10", "--log-level=warn"}, args...)
	s := &instance{command: exec.CommandContext(ctx, o.rowlock, args...)}
	s.command.Stderr = &s.log
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	ready, err := childprocess.AwaitReady(out, readyTimeout)
	s.took = time.Since(begin)
	if err != nil {
		return s, fmt.Errorf("rowlock serve: %w\n%s", err, s.log.String())
	}
	s.url = ready.URL
	s.client, err = clientOf(ready)
	return s, err
}

// clientOf makes a client of a server, with the kubeconfig that the server writes. Two things differ
// from what kubectl does: client-go's own limit on requests is off; and the client has a transport of
// its own as it has over TLS, which keeps a connection for each concurrent request and follows
// disable-compression. Over plain HTTP client-go shares Go's, which keeps two.
func clientOf(ready childprocess.Ready) (*kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", ready.Kubeconfig)
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(unlimited(config))
}

// unlimited changes the configuration of a client as clientOf says.
func unlimited(config *rest.Config) *rest.Config {
	config.QPS = -1
	config.Dial = (&net.Dialer{}).DialContext
	return config
}

// stop tells the server to end and waits until it has.
func (s *instance) stop() error {
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, s.log.String())
	}
	return nil
}

// end kills the server if it has not been stopped, as after an error. Its PostgreSQL ends with it.
func (s *instance) end() {
	if s != nil && s.command.ProcessState == nil {
		_ = s.command.Process.Kill()
		_ = s.command.Wait() // it was killed
	}
}

// cpu returns the processor time of the server and all processes below it on Linux; nothing
// elsewhere.
func (s *instance) cpu() cpuTime { return cpuOf(s.command.Process.Pid, processes()) }

// settleTime is how long a server is left alone before its memory is read.
const settleTime = 5 * time.Second

// memory returns the resident memory of the server's process in bytes, without PostgreSQL, after it
// has been left alone for a while.
func (s *instance) memory(ctx context.Context) (int64, error) {
	if err := pause(ctx, settleTime); err != nil {
		return 0, err
	}
	out, err := exec.CommandContext(ctx, "ps", "-o", "rss=", "-p", strconv.Itoa(s.command.Process.Pid)).Output()
	if err != nil {
		return 0, fmt.Errorf("ps: %w", err)
	}
	kib, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return kib << 10, err
}

// defaultServiceAccount waits until Pods may be created in the namespace.
func defaultServiceAccount(ctx context.Context, client *kubernetes.Clientset, namespace string) error {
	for {
		_, err := client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		if err == nil {
			return nil
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
