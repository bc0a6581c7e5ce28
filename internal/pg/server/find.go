package server

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// minMajor is the oldest supported PostgreSQL.
const minMajor = 15

// ErrOtherVersion says that the data was made by a major version of PostgreSQL that is not
// installed.
var ErrOtherVersion = errors.New("the data belongs to another version of PostgreSQL")

// NotFoundError says that no PostgreSQL of 15 or newer is installed in the places that Find
// searches.
type NotFoundError struct {
	BinDir   string   // the only place searched; empty for PATH and the usual places
	Rejected []string // what was found and rejected, with the reason
	Install  string   // the platform's command that installs one; empty if nothing can be installed
}

func (e *NotFoundError) Error() string {
	place := "PATH or the usual places"
	if e.BinDir != "" {
		place = e.BinDir + ", which --pg-bin or PG_BIN names"
	}
	text := "no PostgreSQL 15 or newer was found in " + place
	if len(e.Rejected) > 0 {
		text += " (" + strings.Join(e.Rejected, "; ") + ")"
	}
	if e.Install == "" {
		return text + ". This container holds nothing but Rowlock. Name a database with --database-url or DATABASE_URL, " +
			"or use the image that has a PostgreSQL: docker build --target standalone"
	}
	return text + ". Install it with: " + e.Install + ". Or name a database with --database-url"
}

// Binaries is one installed PostgreSQL server.
type Binaries struct {
	Dir   string // holds postgres and initdb
	Major int    // such as 17
}

// usualPlaces are where packages install the binaries; each pattern contains one version.
var usualPlaces = []string{
	"/usr/lib/postgresql/*/bin", // Debian, Ubuntu, SUSE
	"/usr/pgsql-*/bin",          // PostgreSQL's own RPMs
	"/usr/libexec/postgresql*",  // Alpine
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
	`C:\Program Files\PostgreSQL\*\bin`,
}

// Find returns the server's binaries: only those in binDir (the user's PG_BIN) if it is given;
// otherwise those in PATH, otherwise the newest in the places that packages use. A major other than
// 0 accepts only that version. The error is a *NotFoundError.
func Find(binDir string, major int) (Binaries, error) {
	var rejected []string
	for _, dir := range candidates(binDir) {
		found, err := inspect(dir)
		switch {
		case errors.Is(err, os.ErrNotExist) && binDir == "":
			continue
		case err != nil:
			rejected = append(rejected, err.Error())
		case found.Major < minMajor:
			rejected = append(rejected, fmt.Sprintf("%s is version %d", dir, found.Major))
		case major != 0 && found.Major != major:
			rejected = append(rejected, fmt.Sprintf("%s is version %d, not %d", dir, found.Major, major))
		default:
			return found, nil
		}
	}
	return Binaries{}, &NotFoundError{BinDir: binDir, Rejected: rejected, Install: installCommand()}
}

// findFor finds the binaries that fit the contents of the data directory, any if it is empty.
func findFor(binDir, data string) (Binaries, error) {
	text, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return Find(binDir, 0)
	}
	if err != nil {
		return Binaries{}, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return Binaries{}, fmt.Errorf("%s: %w", filepath.Join(data, "PG_VERSION"), err)
	}
	bin, err := Find(binDir, major)
	var missing *NotFoundError
	if errors.As(err, &missing) {
		return Binaries{}, fmt.Errorf("%w: %s was created by PostgreSQL %d, which is not installed (%s); "+
			"install it, or upgrade the data with pg_upgrade", ErrOtherVersion, data, major, strings.Join(missing.Rejected, "; "))
	}
	return bin, err
}

// candidates lists the directories to search, best first.
func candidates(binDir string) []string {
	if binDir != "" {
		return []string{binDir}
	}
	var dirs []string
	if path, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		dirs = append(dirs, filepath.Dir(path))
	}
	var packaged []string
	for _, pattern := range usualPlaces {
		matches, _ := filepath.Glob(pattern) // only fails for malformed patterns
		packaged = append(packaged, matches...)
	}
	slices.SortStableFunc(packaged, func(a, b string) int { return cmp.Compare(versionIn(b), versionIn(a)) })
	return append(dirs, packaged...)
}

var digits = regexp.MustCompile(`\d+`)

// versionIn reads the first number in a directory's name, as in /usr/lib/postgresql/17/bin.
func versionIn(dir string) int {
	n, _ := strconv.Atoi(digits.FindString(dir)) // 0 if there is no number
	return n
}

var versionLine = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// inspect asks the binaries in a directory for their version.
func inspect(dir string) (Binaries, error) {
	for _, name := range []string{"postgres", "initdb"} {
		if _, err := os.Stat(filepath.Join(dir, executable(name))); err != nil {
			return Binaries{}, err
		}
	}
	out, err := exec.Command(filepath.Join(dir, executable("postgres")), "--version").Output()
	if err != nil {
		return Binaries{}, fmt.Errorf("%s --version: %w", filepath.Join(dir, "postgres"), err)
	}
	match := versionLine.FindSubmatch(out)
	if match == nil {
		return Binaries{}, fmt.Errorf("%s: unknown version %q", dir, bytes.TrimSpace(out))
	}
	major, err := strconv.Atoi(string(match[1]))
	return Binaries{Dir: dir, Major: major}, err
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// installCommand returns what the user of this machine would type, empty in a container without a
// shell.
func installCommand() string {
	switch runtime.GOOS {
	case "darwin":
		return "brew install postgresql@17"
	case "windows":
		return "winget install PostgreSQL.PostgreSQL.17"
	case "linux":
		release, err := os.ReadFile("/etc/os-release")
		if err != nil {
			if _, err := os.Stat("/bin/sh"); errors.Is(err, os.ErrNotExist) {
				return ""
			}
			break // an unknown Linux
		}
		return linuxInstallCommand(release)
	}
	return "your system's package of PostgreSQL"
}

// linuxInstallCommand recognises the families of distributions by the ID and ID_LIKE of their
// os-release.
func linuxInstallCommand(release []byte) string {
	var names []string
	lines := bufio.NewScanner(bytes.NewReader(release))
	for lines.Scan() {
		if key, value, _ := strings.Cut(lines.Text(), "="); key == "ID" || key == "ID_LIKE" {
			names = append(names, strings.Fields(strings.Trim(value, `"'`))...)
		}
	}
	for _, family := range []struct{ name, command string }{
		{"debian", "sudo apt-get install postgresql"},
		{"ubuntu", "sudo apt-get install postgresql"},
		{"fedora", "sudo dnf install postgresql-server"},
		{"rhel", "sudo dnf install postgresql-server"},
		{"alpine", "sudo apk add postgresql"},
		{"arch", "sudo pacman -S postgresql"},
		{"suse", "sudo zypper install postgresql-server"},
	} {
		if slices.Contains(names, family.name) {
			return family.command
		}
	}
	return "your distribution's package of the PostgreSQL server"
}
