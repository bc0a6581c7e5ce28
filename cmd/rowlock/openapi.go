package main

import (
	"github.com/spf13/cobra"

	"github.com/rowlock/rowlock/api"
	"github.com/rowlock/rowlock/api/control"
)

func openapiCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the OpenAPI document of the API",
		Long: "Print the OpenAPI 3 document, in YAML, of everything that a server serves: the Kubernetes API and\n" +
			"Rowlock's own operations.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			doc, err := api.OpenAPIYAML(control.New(control.Deps{}).Register)
			if err != nil {
				return err
			}
			_, err = command.OutOrStdout().Write(doc)
			return err
		},
	}
}
