package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

func kubeconfigCommand(getenv func(string) string) *cobra.Command {
	var server string
	command := &cobra.Command{
		Use:   "kubeconfig",
		Short: "Print a kubeconfig for a Rowlock server on this machine",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if server == "" {
				var err error
				if server, err = defaultServer(getenv); err != nil {
					return err
				}
			}
			text, err := clientcmd.Write(newKubeconfig(server))
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(command.OutOrStdout(), string(text))
			return err
		},
	}
	command.Flags().StringVar(&server, "server", "", "the server's URL (default: http:// and $ROWLOCK_LISTEN, else http://127.0.0.1:8080)")
	return command
}

// newKubeconfig leads to the server, without a login.
func newKubeconfig(server string) clientcmdapi.Config {
	c := clientcmdapi.NewConfig()
	c.Clusters["rowlock"] = &clientcmdapi.Cluster{Server: server}
	c.AuthInfos["rowlock"] = &clientcmdapi.AuthInfo{}
	c.Contexts["rowlock"] = &clientcmdapi.Context{Cluster: "rowlock", AuthInfo: "rowlock"}
	c.CurrentContext = "rowlock"
	return *c
}

func writeKubeconfig(path, server string) error {
	if err := clientcmd.WriteToFile(newKubeconfig(server), path); err != nil {
		return fmt.Errorf("write the kubeconfig: %w", err)
	}
	return nil
}
