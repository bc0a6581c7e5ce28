package client

import (
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	v1 "github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/credential"
)

// KubeconfigCommand makes `rowlock kubeconfig`.
func KubeconfigCommand(getenv func(string) string) *cobra.Command {
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
			if to.Server = server; server == "" {
				if to.Server, err = publicServer(getenv, dir != ""); err != nil {
					return err
				}
			}
			if fork != "" {
				if to.Server, err = url.JoinPath(to.Server, v1.ForkPrefix, url.PathEscape(fork)); err != nil {
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
	command.Flags().StringVar(&server, "server", "",
		"URL of the server (default: $ROWLOCK_EXTERNAL_URL, else http:// or https:// and $ROWLOCK_LISTEN, "+
			"else 127.0.0.1:8080)")
	command.Flags().StringVar(&dir, "credentials-dir", "",
		"directory of the server's credentials, with the authority and the token to use [$ROWLOCK_CREDENTIALS_DIR]")
	command.Flags().StringVar(&fork, "fork", "", "name of a fork to connect to, instead of the cluster")
	return command
}

// newKubeconfig makes a kubeconfig for a server.
func newKubeconfig(to Access) clientcmdapi.Config {
	c := clientcmdapi.NewConfig()
	c.Clusters["rowlock"] = &clientcmdapi.Cluster{
		Server: to.Server, CertificateAuthorityData: to.CA,
		DisableCompression: onLoopback(to.Server),
		// The client for JavaScript speaks plain HTTP only if no certificate is requested.
		InsecureSkipTLSVerify: strings.HasPrefix(to.Server, "http://"),
	}
	c.AuthInfos["rowlock"] = &clientcmdapi.AuthInfo{Token: to.Token}
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

// WriteKubeconfig writes one that only its owner can read, because it may contain a token.
func WriteKubeconfig(path string, to Access) error {
	text, err := clientcmd.Write(newKubeconfig(to))
	if err == nil {
		err = credential.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	return nil
}
