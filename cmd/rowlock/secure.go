package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/cmd/rowlock/client"
	"github.com/rowlock/rowlock/internal/credential"
)

// secureConfig is the configuration of `rowlock serve` for TLS and logins.
type secureConfig struct {
	certFile, keyFile string
	clientCAFile      string
	tokenFile         string
	credentialsDir    string
	names             []string
	externalURL       string
}

var secureSettings = []setting{
	{"credentials-dir", "ROWLOCK_CREDENTIALS_DIR"},
	{"tls-cert-file", "ROWLOCK_TLS_CERT_FILE"},
	{"tls-private-key-file", "ROWLOCK_TLS_PRIVATE_KEY_FILE"},
	{"client-ca-file", "ROWLOCK_CLIENT_CA_FILE"},
	{"token-file", "ROWLOCK_TOKEN_FILE"},
	{"tls-san", "ROWLOCK_TLS_SAN"},
	{"external-url", "ROWLOCK_EXTERNAL_URL"},
}

// flags declares the flags.
func (c *secureConfig) flags(f *pflag.FlagSet) {
	f.StringVar(&c.certFile, "tls-cert-file", "", "serve HTTPS with this certificate, in PEM, followed by its intermediates; it is reloaded when it changes")
	f.StringVar(&c.keyFile, "tls-private-key-file", "", "private key of --tls-cert-file, in PEM")
	f.StringVar(&c.clientCAFile, "client-ca-file", "",
		"accept client certificates of these authorities, in PEM: the common name is the user, "+
			"the organisations are the groups")
	f.StringVar(&c.tokenFile, "token-file", "", `accept these bearer tokens, one per line in Kubernetes' format: token,user,uid,"group1,group2"`)
	f.StringVar(&c.credentialsDir, "credentials-dir", "",
		"serve HTTPS and require a token: the first start creates an authority, a certificate, "+
			"an administrator's token and a kubeconfig in this directory")
	f.StringSliceVar(&c.names, "tls-san", nil, "additional names and addresses for the certificate in --credentials-dir")
	f.StringVar(&c.externalURL, "external-url", "",
		"URL at which clients reach this server, for the kubeconfig and the certificate (default: "+
			"the address that it listens on)")
}

// encrypted reports whether the server speaks TLS, and login whether it identifies users.
func (c *secureConfig) encrypted() bool { return c.certFile != "" || c.credentialsDir != "" }
func (c *secureConfig) login() bool {
	return c.tokenFile != "" || c.clientCAFile != "" || c.credentialsDir != ""
}

// validate returns what is wrong with the configuration of a server that listens on the host.
func (c *secureConfig) validate(host string) error {
	switch {
	case (c.certFile == "") != (c.keyFile == ""):
		return errors.New("--tls-cert-file and --tls-private-key-file: give both or neither")
	case c.credentialsDir != "" && c.certFile != "":
		return errors.New("--credentials-dir creates a certificate and --tls-cert-file names another: give only one of them")
	case c.clientCAFile != "" && !c.encrypted():
		return errors.New("--client-ca-file: client certificates need TLS: give --tls-cert-file and --tls-private-key-file too, or --credentials-dir")
	case len(c.names) > 0 && c.credentialsDir == "":
		return errors.New("--tls-san applies to the certificate that --credentials-dir creates: give --credentials-dir too")
	case !isLoopback(host) && (!c.encrypted() || !c.login()):
		return fmt.Errorf("--listen: %q is not a loopback address, and other machines are served only over TLS and with a login: "+
			"give --credentials-dir, which creates what both need, or --tls-cert-file and --tls-private-key-file with --token-file or --client-ca-file", host)
	}
	if c.externalURL == "" {
		return nil
	}
	u, err := url.Parse(c.externalURL)
	switch {
	case err != nil:
		return fmt.Errorf("--external-url: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return fmt.Errorf("--external-url: %q is not a URL such as https://rowlock.example:6443", c.externalURL)
	}
	return nil
}

// secured is a server's TLS and login, from files.
type secured struct {
	tls           *tls.Config // nil for plain HTTP
	authenticator *auth.Authenticator
	access        client.Access
}

// open reads the files, or creates those of --credentials-dir, for a server at the address.
func (c *secureConfig) open(log *slog.Logger, address net.Addr) (*secured, error) {
	s := &secured{access: client.Access{Server: c.url(address)}}
	cert, key, ca, tokens := c.certFile, c.keyFile, c.certFile, []string{}
	if c.tokenFile != "" {
		tokens = append(tokens, c.tokenFile)
	}
	if c.credentialsDir != "" {
		dir := credential.Dir(c.credentialsDir)
		if err := dir.Fill(c.certificateNames(address)); err != nil {
			return nil, fmt.Errorf("--credentials-dir: %w", err)
		}
		cert, key, ca, tokens = dir.CertFile(), dir.KeyFile(), dir.CAFile(), append(tokens, dir.TokenFile())
	}
	if cert != "" {
		pair, err := credential.OpenKeyPair(log, cert, key)
		if err != nil {
			return nil, fmt.Errorf("read the certificate: %w", err)
		}
		s.tls = credential.ServerTLS(pair)
		if s.access.CA, err = client.Certificates(ca); err != nil {
			return nil, err
		}
	}
	return s, c.openLogin(log, tokens, s)
}

// openLogin reads what the server identifies its clients by.
func (c *secureConfig) openLogin(log *slog.Logger, tokenFiles []string, s *secured) error {
	if !c.login() {
		return nil
	}
	s.authenticator = new(auth.Authenticator)
	if len(tokenFiles) > 0 {
		tokens, err := credential.Open(log, time.Second, func() (*auth.Tokens, error) { return client.ReadTokens(tokenFiles) }, tokenFiles...)
		if err != nil {
			return fmt.Errorf("read the tokens: %w", err)
		}
		s.authenticator.Tokens, s.access.Token = tokens.Get, tokens.Get().Admin()
	}
	if c.clientCAFile != "" {
		pool, err := credential.OpenPool(log, c.clientCAFile)
		if err != nil {
			return fmt.Errorf("--client-ca-file: %w", err)
		}
		s.authenticator.ClientCAs = pool.Get
	}
	return nil
}

// url returns where clients on this machine reach a server at the address or, if configured, where
// all do.
func (c *secureConfig) url(address net.Addr) string {
	if c.externalURL != "" {
		return strings.TrimRight(c.externalURL, "/")
	}
	scheme, host := "http", address.String()
	if c.encrypted() {
		scheme = "https"
	}
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		host = net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
	}
	return scheme + "://" + host
}

// certificateNames returns the names that the certificate of --credentials-dir is valid for.
func (c *secureConfig) certificateNames(address net.Addr) []string {
	names := []string{"localhost", "127.0.0.1", "::1"}
	if tcp, ok := address.(*net.TCPAddr); ok && !tcp.IP.IsUnspecified() {
		names = append(names, tcp.IP.String())
	}
	if host, err := os.Hostname(); err == nil {
		names = append(names, host)
	}
	if u, err := url.Parse(c.externalURL); err == nil && u.Hostname() != "" {
		names = append(names, u.Hostname())
	}
	return append(names, c.names...)
}
