// Kubectl is kubectl at the version of Rowlock's libraries, so that tests neither need nor depend
// on the machine's kubectl:
//
//	go -C test/scenario build -o ../../bin/kubectl ./kubectl
//
// It is in the module of the stories, which run kubectl in their own process, so that those who
// import Rowlock's packages do not get kubectl's dependencies.
package main

import (
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"

	_ "github.com/rowlock/rowlock/test/scenario/kubectl/untranslated"
)

// main runs kubectl with the process's arguments. It prints errors as kubectl does, and exits with
// 1 after one.
func main() {
	kubectl := cmd.NewDefaultKubectlCommand()
	kubectl.SilenceErrors, kubectl.SilenceUsage = true, true
	util.CheckErr(kubectl.Execute())
}
