package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
)

// completions are the shells that archives have completions for, with the file names that they
// expect.
var completions = map[string]string{"bash": "rowlock.bash", "zsh": "_rowlock", "fish": "rowlock.fish", "powershell": "rowlock.ps1"}

// extras makes the manual pages and the completions, which are the same for all systems, with a
// program for this one.
func (r *release) extras(ctx context.Context) (files []member, err error) {
	temporary, err := os.MkdirTemp("", "rowlock-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary) //nolint:errcheck // it is the system's temporary directory
	program := filepath.Join(temporary, "rowlock")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "./cmd/rowlock")
	build.Dir = r.root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stdout, build.Stderr = os.Stdout, os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(r.out, "extra"))
	if err != nil {
		return nil, err
	}
	manual := exec.CommandContext(ctx, program, "man", filepath.Join(dir, "man"))
	manual.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(max(r.epoch, earliest), 10))
	if said, err := manual.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("rowlock man: %w: %s", err, said)
	}
	pages, err := os.ReadDir(filepath.Join(dir, "man"))
	if err != nil {
		return nil, err
	}
	for _, page := range pages { // in name order
		files = append(files, member{path.Join("man", page.Name()), filepath.Join(dir, "man", page.Name()), 0o644})
	}
	for _, shell := range []string{"bash", "fish", "powershell", "zsh"} {
		text, err := exec.CommandContext(ctx, program, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("rowlock completion %s: %w", shell, err)
		}
		from := filepath.Join(dir, completions[shell])
		if err := os.WriteFile(from, text, 0o644); err != nil {
			return nil, err
		}
		files = append(files, member{path.Join("completions", completions[shell]), from, 0o644})
	}
	return files, nil
}
