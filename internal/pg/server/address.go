package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The names that initdb gives to the superuser and to the database that comes with it.
const (
	superuser = "rowlock"
	database  = "postgres"
)

// address is where a server listens: on a Unix socket, or on loopback with a password on systems
// without them.
type address struct {
	socketDir string
	port      int
	password  string
}

// newAddress chooses where the server in dir listens and creates the socket's directory afresh.
func newAddress(dir string, user *account) (address, error) {
	if runtime.GOOS == "windows" {
		return newLoopback(dir)
	}
	at := socketDir(dir)
	if err := os.RemoveAll(filepath.Join(dir, "run")); err != nil {
		return address{}, err
	}
	if err := os.RemoveAll(at); err != nil {
		return address{}, err
	}
	// Mkdir refuses anything that another user may have put there in between.
	if err := os.Mkdir(at, 0o700); err != nil {
		return address{}, fmt.Errorf("create the socket's directory: %w", err)
	}
	return address{socketDir: at, port: 5432}, user.own(at)
}

// remove removes the socket's directory.
func (a address) remove() error {
	if a.socketDir == "" {
		return nil
	}
	return os.RemoveAll(a.socketDir)
}

// socketDir is in the data directory if the socket's path then fits into a socket address;
// otherwise it is a directory with a short name among the temporary files.
func socketDir(dir string) string {
	maxBytes := 103
	if runtime.GOOS == "linux" {
		maxBytes = 107
	}
	within := filepath.Join(dir, "run")
	if len(filepath.Join(within, ".s.PGSQL.5432")) <= maxBytes {
		return within
	}
	return filepath.Join(os.TempDir(), shortName(dir))
}

// newLoopback finds a free port and reads the password that initdb was given.
func newLoopback(dir string) (address, error) {
	password, err := os.ReadFile(filepath.Join(dir, "password"))
	if err != nil {
		return address{}, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return address{}, err
	}
	port := free.Addr().(*net.TCPAddr).Port
	return address{port: port, password: strings.TrimSpace(string(password))}, free.Close()
}

// settings returns the settings for where the server listens.
func (a address) settings() []string {
	listen := ""
	if a.socketDir == "" {
		listen = "127.0.0.1"
	}
	return []string{
		fmt.Sprintf("port=%d", a.port),
		"listen_addresses=" + listen,
		"unix_socket_directories=" + quoteSetting(a.socketDir),
		"unix_socket_permissions=0700",
	}
}

// quoteSetting quotes a path as one element of a setting that is a list.
func quoteSetting(path string) string {
	if path == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(path, `"`, `""`) + `"`
}

func (a address) url() string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database}
	if a.socketDir != "" {
		u.RawQuery = url.Values{"host": {a.socketDir}}.Encode()
		return u.String()
	}
	u.User = url.UserPassword(superuser, a.password)
	u.Host = fmt.Sprintf("127.0.0.1:%d", a.port)
	u.RawQuery = "sslmode=disable"
	return u.String()
}

// newPassword writes a random password into the data directory, unless it has one.
func newPassword(dir string) (path string, err error) {
	path = filepath.Join(dir, "password")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return path, nil
	}
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintln(f, rand.Text())
	return path, errors.Join(err, f.Close())
}
