//go:build !windows

package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// installed makes a directory of binaries that claim this version.
func installed(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"postgres", "initdb"} {
		script := fmt.Sprintf("#!/bin/sh\necho '%s (PostgreSQL) %s'\n", name, version)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind_BinDir(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		dir      string
		major    int
		want     int    // the version found, 0 for none
		rejected string // part of the reason
	}{
		{name: "new enough", dir: installed(t, "15.8 (Debian 15.8-0+deb12u1)"), want: 15},
		{name: "a beta", dir: installed(t, "19beta1"), want: 19},
		{name: "too old", dir: installed(t, "14.2"), rejected: "is version 14"},
		{name: "the version of the data", dir: installed(t, "16.1"), major: 16, want: 16},
		{name: "another than the data's", dir: installed(t, "17.1"), major: 16, rejected: "is version 17, not 16"},
		{name: "something else", dir: installed(t, "none"), rejected: "unknown version"},
		{name: "nothing there", dir: t.TempDir(), rejected: "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := Find(test.dir, test.major)
			if test.want != 0 {
				if diff := cmp.Diff(Binaries{Dir: test.dir, Major: test.want}, got); diff != "" || err != nil {
					t.Errorf("%v (-want +got):\n%s", err, diff)
				}
				return
			}
			var missing *NotFoundError
			if !errors.As(err, &missing) {
				t.Fatalf("got %v, %v", got, err)
			}
			if len(missing.Rejected) != 1 || !strings.Contains(missing.Rejected[0], test.rejected) {
				t.Errorf("rejected %q, want %q", missing.Rejected, test.rejected)
			}
			if text := missing.Error(); !strings.Contains(text, " in "+test.dir+", which") || strings.Contains(text, "usual places") {
				t.Errorf("it looked in %s alone, and says %q", test.dir, text)
			}
			if missing.Install == "" || !strings.Contains(err.Error(), missing.Install) {
				t.Errorf("the user does not learn what to type: %v", err)
			}
		})
	}
}

func TestFindFor_DataOfAnotherVersion(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("16\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := findFor(installed(t, "18.0"), data)
	if !errors.Is(err, ErrOtherVersion) || !strings.Contains(err.Error(), "PostgreSQL 16") {
		t.Errorf("got %v", err)
	}
}

// TestNotFoundError_NothingCanBeInstalled: an image with only the program has no package manager;
// the message says what can be done there.
func TestNotFoundError_NothingCanBeInstalled(t *testing.T) {
	t.Parallel()
	const want = "no PostgreSQL 15 or newer was found in PATH or the usual places. This container holds nothing but Rowlock. " +
		"Name a database with --database-url or DATABASE_URL, or use the image that has a PostgreSQL: docker build --target standalone"
	if got := (&NotFoundError{}).Error(); got != want {
		t.Errorf("got %q", got)
	}
}

func TestVersionIn(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]int{
		"/usr/lib/postgresql/9.6/bin":              9,
		"/usr/lib/postgresql/17/bin":               17,
		"/opt/homebrew/opt/postgresql@16/bin":      16,
		"/usr/libexec/postgresql18":                18,
		"/Applications/Postgres.app/Contents/bin/": 0,
	} {
		if got := versionIn(dir); got != want {
			t.Errorf("%s has version %d, want %d", dir, got, want)
		}
	}
}

func TestLinuxInstallCommand(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, release, want string }{
		{"Debian", "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n", "sudo apt-get install postgresql"},
		{"Mint", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "sudo apt-get install postgresql"},
		{"Rocky", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "sudo dnf install postgresql-server"},
		{"Alpine", "ID=alpine\n", "sudo apk add postgresql"},
		{"Tumbleweed", "ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n", "sudo zypper install postgresql-server"},
		{"unheard of", "ID=mine\n", "your distribution's package of the PostgreSQL server"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := linuxInstallCommand([]byte(test.release)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
