// Command release builds what `make release` publishes: one program for each system, in an archive
// with the licence, the README, manual pages and completions, and the checksums of all. The same
// sources and the same Go give the same bytes, wherever they are built.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// systems are what releases are built for.
const systems = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// earliest is 1980-01-01: a zip archive cannot represent an earlier time.
const earliest = 315532800

// sumsName is the file with the checksums of all archives.
const sumsName = "SHA256SUMS"

// documents are the files in each archive besides the program.
var documents = []string{"LICENSE", "README.md", "CHANGELOG.md"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var r release
	flag.StringVar(&r.version, "version", "devel", "the release's version, as in v1.2.3")
	flag.StringVar(&r.out, "out", "dist", "directory to write to; it must not exist, or be that of another release")
	flag.StringVar(&r.root, "root", ".", "the repository's directory")
	flag.Int64Var(&r.epoch, "epoch", 0, "the time of all files in the archives, in seconds since 1970; 1980 at the earliest")
	list := flag.String("systems", systems, "systems to build for")
	flag.Parse()
	if err := r.run(ctx, strings.Split(*list, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one release being built.
type release struct {
	version, out, root string
	epoch              int64
	extra              []member // the files in each archive besides the program and the documents
}

func (r *release) run(ctx context.Context, systems []string) error {
	if err := prepare(r.out); err != nil {
		return err
	}
	var err error
	if r.extra, err = r.extras(ctx); err != nil {
		return err
	}
	sums := map[string][]byte{}
	for _, system := range systems {
		goos, goarch, found := strings.Cut(system, "/")
		if !found {
			return fmt.Errorf("%q is not a system such as linux/amd64", system)
		}
		archive, err := r.build(ctx, goos, goarch)
		if err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
		text, err := os.ReadFile(archive)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(text)
		sums[filepath.Base(archive)] = sum[:]
	}
	return r.checksums(sums)
}

// prepare makes a directory whose only file is that of the checksums, still empty. It removes an
// earlier release, even an unfinished one, which it recognises by that file, and nothing else.
func prepare(out string) error {
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == sumsName }) {
		return fmt.Errorf("%s has files that are not of a release", out)
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, sumsName), nil, 0o644)
}

// build builds the program for a system and its archive, and returns the archive's path. The
// program itself stays beside it, in a directory with the system's name.
func (r *release) build(ctx context.Context, goos, goarch string) (string, error) {
	name := "rowlock"
	if goos == "windows" {
		name += ".exe"
	}
	out, err := filepath.Abs(filepath.Join(r.out, goos+"-"+goarch, name))
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w -buildid= -X main.release="+r.version, "-o", out, "./cmd/rowlock")
	command.Dir = r.root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOAMD64=v1", "GOARM64=v8.0")
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return "", err
	}
	files := []member{{name, out, 0o755}}
	for _, document := range documents {
		files = append(files, member{document, filepath.Join(r.root, document), 0o644})
	}
	files = append(files, r.extra...)
	dir := fmt.Sprintf("rowlock_%s_%s_%s", strings.TrimPrefix(r.version, "v"), goos, goarch)
	pack, suffix := tarball, ".tar.gz"
	if goos == "windows" {
		pack, suffix = zipped, ".zip"
	}
	archive := filepath.Join(r.out, dir+suffix)
	return archive, pack(archive, dir, files, time.Unix(max(r.epoch, earliest), 0).UTC())
}

// checksums writes SHA256SUMS in the format of sha256sum.
func (r *release) checksums(sums map[string][]byte) error {
	var names []string
	for name := range sums {
		names = append(names, name)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		fmt.Fprintf(&text, "%x  %s\n", sums[name], name)
	}
	return os.WriteFile(filepath.Join(r.out, sumsName), []byte(text.String()), 0o644)
}
