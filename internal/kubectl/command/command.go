// Package command is kubectl at the version of Rowlock's libraries, so that tests neither need nor
// depend on the machine's kubectl.
package command

import (
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

// Main runs kubectl with the process's arguments. It prints errors as kubectl does, and exits with
// 1 after one; it returns if the command has succeeded.
func Main() {
	kubectl := cmd.NewDefaultKubectlCommand()
	kubectl.SilenceErrors, kubectl.SilenceUsage = true, true
	util.CheckErr(kubectl.Execute())
}
