package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// module is the import path of what the campaign builds.
const module = "github.com/rowlock/rowlock"

// buildOverlaid builds Rowlock with other texts in place of some files, which are named by their
// paths.
func buildOverlaid(ctx context.Context, dir, name string, texts map[string]string) (binary string, err error) {
	replaced := map[string]string{}
	for path, text := range texts {
		own := filepath.Join(dir, strconv.Itoa(len(replaced))+filepath.Base(path))
		if err := os.WriteFile(own, []byte(text), 0o644); err != nil {
			return "", err
		}
		replaced[path] = own
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return "", err
	}
	binary = filepath.Join(dir, name)
	out, err := exec.CommandContext(ctx, "go", "build", "-overlay", list, "-o", binary, module+"/cmd/rowlock").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
	}
	return binary, nil
}

// buildWith builds Rowlock with a bug.
func buildWith(ctx context.Context, dir string, b bug) (binary string, err error) {
	texts, err := b.texts(ctx)
	if err != nil {
		return "", fmt.Errorf("%s: %w", b.name, err)
	}
	return buildOverlaid(ctx, dir, "rowlock-with-a-bug", texts)
}

// texts returns the changed files.
func (b bug) texts(ctx context.Context) (map[string]string, error) {
	root, err := moduleDir(ctx)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, e := range b.edits {
		path := filepath.Join(root, filepath.FromSlash(e.file))
		if texts[path] == "" {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			texts[path] = string(text)
		}
		if strings.Count(texts[path], e.is) != 1 {
			return nil, errors.New(e.file + " does not have " + strconv.Quote(e.is) + " once")
		}
		texts[path] = strings.Replace(texts[path], e.is, e.becomes, 1)
	}
	return texts, nil
}

// moduleDir returns the directory of Rowlock's source.
func moduleDir(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
