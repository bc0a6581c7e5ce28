// Kubectl is the command-line client for checking Rowlock's scripts, documents and conformance:
//
//	go build -o bin/kubectl ./internal/kubectl
package main

import "github.com/rowlock/rowlock/internal/kubectl/command"

func main() { command.Main() }
