// Etags writes the ETags of the OpenAPI 3.0 documents of the built-in kinds, as JSON:
//
//	etags FILE
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/rowlock/rowlock/api/kube/discovery"
	"github.com/rowlock/rowlock/api/kube/openapi"
	"github.com/rowlock/rowlock/internal/kind/builtin"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "etags:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: etags FILE")
	}
	etags, err := openapi.ETags(discovery.Served(builtin.Catalogue()))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(etags, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], append(text, '\n'), 0o644)
}
