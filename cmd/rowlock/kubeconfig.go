package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/credential"
)

func kubeconfigCommand(getenv func(string) string) *cobra.Command {
	var server, dir, fork string
	command := &cobra.Command{
		Use:   "kubeconfig",
		Short: "Print a kubeconfig for a Rowlock server",
		Long: "Print a kubeconfig for a Rowlock server, or for a fork of its cluster. With --credentials-dir, the\n" +
			"kubeconfig contains the server's certificate authority and the administrator's token.",
		Example: "  # Connect kubectl to the server on this machine\n" +
			"  rowlock kubeconfig > kubeconfig\n" +
			"  export KUBECONFIG=$PWD/kubeconfig\n\n" +
			"  # Connect kubectl to a fork\n" +
			"  rowlock kubeconfig --fork what-if > what-if.kubeconfig\n" +
			"  kubectl --kubeconfig what-if.kubeconfig get pods",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if dir == "" {
				dir = getenv("ROWLOCK_CREDENTIALS_DIR")
			}
			to, err := accessOf(dir)
			if err != nil {
				return err
			}
			if to.server = server; server == "" {
				if to.server, err = publicServer(getenv, dir != ""); err != nil {
					return err
				}
			}
			if fork != "" {
				if to.server, err = url.JoinPath(to.server, v1.ForkPrefix, url.PathEscape(fork)); err != nil {
					return err
				}
			}
			text, err := clientcmd.Write(newKubeconfig(to))
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(command.OutOrStdout(), string(text))
			return err
		},
	}
	command.Flags().StringVar(&server, "server", "", "URL of the server (default: $ROWLOCK_EXTERNAL_URL, else http:// or https:// and $ROWLOCK_LISTEN, else 127.0.0.1:8080)")
	command.Flags().StringVar(&dir, "credentials-dir", "", "directory of the server's credentials, with the authority and the token to use [$ROWLOCK_CREDENTIALS_DIR]")
	command.Flags().StringVar(&fork, "fork", "", "name of a fork to connect to, instead of the cluster")
	return command
}

// accessOf returns the server's authority and the administrator's token from a directory of
// credentials; nothing without a directory.
func accessOf(dir string) (access, error) {
	if dir == "" {
		return access{}, nil
	}
	d := credential.Dir(dir)
	ca, err := certificates(d.CAFile())
	if errors.Is(err, fs.ErrNotExist) {
		return access{}, fmt.Errorf("%s has no credentials yet: run `rowlock serve --credentials-dir`, which creates them", dir)
	}
	if err != nil {
		return access{}, err
	}
	tokens, err := readTokens([]string{d.TokenFile()})
	if err != nil {
		return access{}, err
	}
	return access{ca: ca, token: tokens.Admin()}, nil
}

// newKubeconfig makes a kubeconfig for a server.
func newKubeconfig(to access) clientcmdapi.Config {
	c := clientcmdapi.NewConfig()
	c.Clusters["rowlock"] = &clientcmdapi.Cluster{
		Server: to.server, CertificateAuthorityData: to.ca,
		DisableCompression: onLoopback(to.server),
		// The client for JavaScript speaks plain HTTP only if no certificate is requested.
		InsecureSkipTLSVerify: strings.HasPrefix(to.server, "http://"),
	}
	c.AuthInfos["rowlock"] = &clientcmdapi.AuthInfo{Token: to.token}
	c.Contexts["rowlock"] = &clientcmdapi.Context{Cluster: "rowlock", AuthInfo: "rowlock"}
	c.CurrentContext = "rowlock"
	return *c
}

// onLoopback reports whether a server is on this machine, where compressing answers costs both
// sides more than it saves.
func onLoopback(server string) bool {
	u, err := url.Parse(server)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// writeKubeconfig writes one that only its owner can read, because it may contain a token.
func writeKubeconfig(path string, to access) error {
	text, err := clientcmd.Write(newKubeconfig(to))
	if err == nil {
		err = credential.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	return nil
}
