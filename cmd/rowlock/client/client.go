package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// serverFlag defines how a command finds the server: by the flag, otherwise by KUBECONFIG,
// otherwise at the address that `rowlock serve` uses.
func serverFlag(f *pflag.FlagSet, server *string) {
	f.StringVar(server, "server", "",
		"URL of the server (default: that of $KUBECONFIG, else http:// or https:// and $ROWLOCK_LISTEN, "+
			"else $ROWLOCK_EXTERNAL_URL, else http://127.0.0.1:8080)")
}

// errOutput reports a format that --output does not support.
func errOutput(format string) error {
	return fmt.Errorf("--output: unsupported format %q: must be json", format)
}

// defaultServer returns the URL of the server that `rowlock serve` starts with the same
// environment; encrypted says that it is known to speak TLS. It is the listen address, because the
// external URL may lead through a proxy or to a port that is published elsewhere.
func defaultServer(getenv func(string) string, encrypted bool) (string, error) {
	listen, scheme := getenv("ROWLOCK_LISTEN"), "http://"
	ownNames := getenv("ROWLOCK_TLS_CERT_FILE") != "" // the certificate was given, and may not be valid for the address
	if encrypted || ownNames {
		scheme = "https://"
	}
	if host, port, err := net.SplitHostPort(listen); err == nil && (host == "" || net.ParseIP(host).IsUnspecified()) {
		listen = net.JoinHostPort("127.0.0.1", port)
	}
	external := getenv("ROWLOCK_EXTERNAL_URL")
	switch {
	case external != "" && (listen == "" || ownNames):
		return external, nil
	case strings.HasSuffix(listen, ":0"):
		return "", fmt.Errorf("ROWLOCK_LISTEN is %s, which is any free port: specify the server's actual port with --server", listen)
	case listen != "":
		return scheme + listen, nil
	}
	return scheme + "127.0.0.1:8080", nil
}

// publicServer returns the URL for a kubeconfig that is given to others: the external one if there
// is one, otherwise defaultServer's.
func publicServer(getenv func(string) string, encrypted bool) (string, error) {
	if external := getenv("ROWLOCK_EXTERNAL_URL"); external != "" {
		return external, nil
	}
	return defaultServer(getenv, encrypted)
}

// client calls a server's endpoints for Rowlock's own operations.
type client struct {
	http *http.Client
	base *url.URL
}

// newClient makes a client of the server named by the flag, if given, or by the environment.
func newClient(server string, getenv func(string) string) (*client, error) {
	config := &rest.Config{Host: server}
	var err error
	if paths := filepath.SplitList(getenv("KUBECONFIG")); server == "" && len(paths) > 0 {
		rules := &clientcmd.ClientConfigLoadingRules{Precedence: paths}
		config, err = clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
		if err != nil {
			return nil, fmt.Errorf("KUBECONFIG: %w", err)
		}
	} else {
		dir := getenv("ROWLOCK_CREDENTIALS_DIR")
		to, err := accessOf(dir)
		if err != nil {
			return nil, err
		}
		config.CAData, config.BearerToken = to.CA, to.Token
		if server == "" {
			if config.Host, err = defaultServer(getenv, dir != ""); err != nil {
				return nil, err
			}
		}
	}
	config.Timeout = 0 // requests have their own deadlines
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("parse the server's URL: %w", err)
	}
	h, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return &client{http: h, base: base}, nil
}

const (
	// requestTimeout bounds a request, besides the time that it asks to wait.
	requestTimeout = 15 * time.Second
	// maxAnswerBytes is far more than any answer needs.
	maxAnswerBytes = 16 << 20
)

// errUnreachable says that no server answered.
var errUnreachable = errors.New("the server cannot be reached")

// do sends a request, with body as JSON unless it is nil, and reads the answer into v. Errors are
// errUnreachable, the server's answer (*apierrors.StatusError), and the context's.
func (c *client) do(ctx context.Context, method, path string, query url.Values, body, v any) error {
	var sent io.Reader
	if body != nil {
		doc, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(doc)
	}
	at := c.base.JoinPath(path)
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, method, at.String(), sent)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	answer, err := c.send(req)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, v); err != nil {
		return fmt.Errorf("%s does not answer as a Rowlock server does: %w", at.Host, err)
	}
	return nil
}

// send sends a request and reads the whole answer. Errors are those of do.
func (c *client) send(req *http.Request) ([]byte, error) {
	res, err := c.http.Do(req)
	if err != nil {
		if ended := req.Context().Err(); ended != nil {
			return nil, ended
		}
		return nil, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	defer res.Body.Close() //nolint:errcheck // it was only read
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswerBytes))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	if res.StatusCode/100 != 2 {
		return nil, refusal(req.URL, res, answer)
	}
	return answer, nil
}

// refusal returns the error in a server's answer.
func refusal(at *url.URL, res *http.Response, answer []byte) error {
	var status metav1.Status
	if json.Unmarshal(answer, &status) != nil || status.Kind != "Status" || status.Message == "" {
		return fmt.Errorf("%s answers %s: it may not be a Rowlock server", at.Host, res.Status)
	}
	if res.StatusCode == http.StatusNotFound && (status.Details == nil || status.Details.Name == "") {
		return fmt.Errorf("%s has no %s: it may not be a Rowlock server, or an older one", at.Host, at.Path)
	}
	return &apierrors.StatusError{ErrStatus: status}
}
