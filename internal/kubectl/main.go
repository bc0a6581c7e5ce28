// Kubectl is the command-line client that Rowlock's scripts, documents and conformance runs are checked with:
//
//	go build -o bin/kubectl ./internal/kubectl
package main

import "github.com/rowlock/rowlock/internal/kubectl/command"

func main() { command.Main() }
