package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/store"
)

const (
	// controllersVariable chooses controllers for envtest, which otherwise runs none; nodesVariable
	// is the number of nodes, for Pods to run on if the scheduler and the kubelet are chosen.
	controllersVariable = "ROWLOCK_ENVTEST_CONTROLLERS"
	nodesVariable       = "ROWLOCK_ENVTEST_NODES"
)

// apiServerConfig is those of kube-apiserver's flags that have an effect.
type apiServerConfig struct {
	bindAddress    string
	securePort     int
	certDir        string
	secure         secureConfig
	etcdServers    []string
	modes          []string
	withoutPlugins []string
	gates          featureGates
	admission      string
	help, version  bool
}

// flags declares the flags that have an effect or that envtest passes; others are accepted with a
// warning. There is no --insecure-port, so that envtest does not request one.
func (c *apiServerConfig) flags() *pflag.FlagSet {
	f := pflag.NewFlagSet(assetAPIServer, pflag.ContinueOnError)
	f.StringVar(&c.bindAddress, "bind-address", "127.0.0.1", "address to listen on")
	f.IntVar(&c.securePort, "secure-port", 6443, "port to listen on")
	f.StringVar(&c.certDir, "cert-dir", "", "directory of apiserver.crt and apiserver.key")
	f.StringVar(&c.secure.certFile, "tls-cert-file", "", "certificate of the server, instead of the one in --cert-dir")
	f.StringVar(&c.secure.keyFile, "tls-private-key-file", "", "private key of --tls-cert-file")
	f.StringVar(&c.secure.clientCAFile, "client-ca-file", "", "accept client certificates of these authorities")
	f.StringVar(&c.secure.tokenFile, "token-auth-file", "", "accept the bearer tokens in this file")
	f.StringSliceVar(&c.etcdServers, "etcd-servers", nil, "URLs of the etcd that rowlock envtest provides; only the first has an effect")
	f.StringSliceVar(&c.modes, "authorization-mode", []string{"AlwaysAllow"}, "authorization modes: RBAC, if it is among them, else AlwaysAllow")
	f.StringSliceVar(&c.withoutPlugins, "disable-admission-plugins", nil, "admission plugins to disable, by their names in Kubernetes")
	f.StringVar(&c.admission, "admission-control-config-file", "", "file with an AdmissionConfiguration, for the plugin PodSecurity only")
	f.Var(&c.gates, "feature-gates", "feature gates, as for rowlock serve")
	for _, name := range []string{
		"advertise-address", "allow-privileged", "enable-admission-plugins", "service-account-issuer", "service-account-key-file",
		"service-account-signing-key-file", "service-cluster-ip-range",
	} {
		f.String(name, "", "without effect")
	}
	f.BoolVar(&c.version, "version", false, "print the version of Kubernetes whose behaviour it reproduces")
	f.BoolVarP(&c.help, "help", "h", false, "print this help")
	return f
}

// runAPIServer is the program that replaces kube-apiserver in envtest: a replica over the database
// of the program etcd, without controllers unless some are chosen.
func runAPIServer(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c apiServerConfig
	flags := c.flags()
	log := slog.New(slog.NewTextHandler(stderr, nil))
	err := parseLeniently(flags, args, log)
	switch {
	case err != nil:
	case c.help:
		fmt.Fprintf(stdout, "Usage:\n  kube-apiserver [flags]\n\nRowlock's replacement for kube-apiserver in envtest.\n\n%s", flags.FlagUsages())
	case c.version:
		fmt.Fprintf(stdout, "Kubernetes %s\n", discovery.ServerVersion.GitVersion)
	default:
		tuneMemory(ctx, os.Getenv)
		err = c.serve(ctx, os.Getenv, log)
	}
	if err != nil {
		fmt.Fprintln(stderr, "rowlock: kube-apiserver:", err)
		return 1
	}
	return 0
}

// serve serves until ctx or the program etcd ends. As in serve.go, the listener opens first, so
// that an early health check is answered as soon as possible.
func (c *apiServerConfig) serve(ctx context.Context, getenv func(string) string, log *slog.Logger) error {
	of, err := c.cluster(getenv, log)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(c.bindAddress, strconv.Itoa(c.securePort)))
	if err != nil {
		return err
	}
	defer listener.Close() //nolint:errcheck // the HTTP server has closed it already, unless it was never started
	if err := c.findCertificate(); err != nil {
		return err
	}
	secure, err := c.secure.open(log, listener.Addr())
	if err != nil {
		return err
	}
	ctx, databaseURL, release, err := holdDatabase(ctx, c.etcdServers[0])
	if err != nil {
		return err
	}
	defer release()
	starting, started := context.WithTimeout(ctx, startTimeout)
	defer started()
	of.DatabaseURL = databaseURL
	of.LoopbackGuard = secure.authenticator == nil
	of.Authenticator, of.CABundle = secure.authenticator, string(secure.access.CA)
	replica, err := cluster.Open(starting, of)
	if err != nil {
		return err
	}
	defer replica.Close()
	started()
	return serveHTTP(ctx, front{listener, secure.tls, replica.Handler(), 0}, &database{}, log)
}

// cluster returns the replica to run, without its database and its logins.
func (c *apiServerConfig) cluster(getenv func(string) string, log *slog.Logger) (of cluster.Config, err error) {
	of = cluster.Config{
		Controllers: []string{}, Gates: kind.Gates(c.gates), WithoutAdmission: map[string]bool{}, NoStorageClass: true,
		AlwaysAllow: !slices.Contains(c.modes, "RBAC"), Retention: store.DefaultRetention, Log: log,
	}
	if of.PodSecurity, err = readAdmission(c.admission); err != nil {
		return of, fmt.Errorf("--admission-control-config-file: %w", err)
	}
	for _, name := range c.withoutPlugins {
		of.WithoutAdmission[name] = true
	}
	if chosen := getenv(controllersVariable); chosen != "" {
		of.Controllers = strings.Split(chosen, ",")
	}
	if _, err := controller.Off(of.Controllers); err != nil {
		return of, fmt.Errorf("environment variable %s: %w", controllersVariable, err)
	}
	if nodes := getenv(nodesVariable); nodes != "" {
		if of.Nodes, err = strconv.Atoi(nodes); err != nil || of.Nodes < 0 {
			return of, fmt.Errorf("environment variable %s: %q is not a number of nodes", nodesVariable, nodes)
		}
	}
	switch {
	case len(c.etcdServers) == 0:
		return of, errors.New("--etcd-servers must be specified")
	case !isLoopback(c.bindAddress) && c.secure.clientCAFile == "" && c.secure.tokenFile == "":
		return of, fmt.Errorf("--bind-address: %q is not a loopback address, and other machines are served only with a "+
			"login: give --client-ca-file or --token-auth-file", c.bindAddress)
	}
	return of, nil
}

// findCertificate uses the certificate in --cert-dir if no other is named.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/server/options/serving.go, MaybeDefaultWithSelfSignedCerts
//
// Differs: upstream creates a missing certificate; envtest always provides one.
func (c *apiServerConfig) findCertificate() error {
	if c.secure.certFile != "" {
		return nil
	}
	c.secure.certFile, c.secure.keyFile = filepath.Join(c.certDir, "apiserver.crt"), filepath.Join(c.certDir, "apiserver.key")
	if _, err := os.Stat(c.secure.certFile); err != nil {
		return fmt.Errorf("--cert-dir, without --tls-cert-file: %w", err)
	}
	return nil
}

// unknownFlags returns the long flags among the arguments that are not declared.
func unknownFlags(flags *pflag.FlagSet, args []string) (names []string) {
	for _, arg := range args {
		name, long := strings.CutPrefix(arg, "--")
		if name, _, _ = strings.Cut(name, "="); long && name != "" && flags.Lookup(name) == nil {
			names = append(names, name)
		}
	}
	return names
}
