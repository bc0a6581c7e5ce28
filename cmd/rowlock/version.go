package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rowlock/rowlock/api/kube/discovery"
)

// release is the version that `make release` sets.
var release string

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the version of Kubernetes whose behaviour it reproduces",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(command.OutOrStdout(), versionText())
			return err
		},
	}
}

// versionText describes the program in three lines.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return fmt.Sprintf("rowlock %s\nkubernetes %s\n%s %s/%s\n", programVersion(release, info), discovery.ServerVersion.GitVersion,
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// programVersion returns the release; without one, the go command's version of the module. The
// commit follows unless it is part of it.
func programVersion(release string, info *debug.BuildInfo) string {
	version := cmp.Or(release, strings.Trim(info.Main.Version, "()"), "unknown")
	var commit, note string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			note = ", modified"
		}
	}
	if commit == "" || strings.Contains(version, commit) {
		return version
	}
	return version + " (commit " + commit + note + ")"
}
