package credential_test

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/credential"
)

// read returns a directory's files by name.
func read(t *testing.T, d credential.Dir) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(string(d))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(string(d), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// leaf returns the directory's server certificate, which its authority must have signed for the
// name.
func leaf(t *testing.T, d credential.Dir, name string) *x509.Certificate {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(d.CertFile(), d.KeyFile())
	if err != nil {
		t.Fatal(err)
	}
	authority, err := os.ReadFile(d.CAFile())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name}); err != nil {
		t.Errorf("for %s: %v", name, err)
	}
	return pair.Leaf
}

// TestDir_FillsOnce: a directory is filled once; servers that start at the same time, and later
// ones, find the same files.
func TestDir_FillsOnce(t *testing.T) {
	t.Parallel()
	d := credential.Dir(filepath.Join(t.TempDir(), "new"))
	var starts sync.WaitGroup
	for range 8 {
		starts.Go(func() {
			if err := d.Fill([]string{"localhost", "127.0.0.1"}); err != nil {
				t.Error(err)
			}
		})
	}
	starts.Wait()
	before := read(t, d)
	if err := d.Fill([]string{"127.0.0.1"}); err != nil {
		t.Fatal(err)
	}
	for name, text := range read(t, d) {
		if before[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
	leaf(t, d, "localhost")
	leaf(t, d, "127.0.0.1")
	if fields := strings.SplitN(before["tokens.csv"], ",", 2); len(fields[0]) < 40 || !strings.Contains(fields[1], `"system:masters"`) {
		t.Errorf("the token is %q", before["tokens.csv"])
	}
	if runtime.GOOS == "windows" {
		return
	}
	for name := range before {
		info, err := os.Stat(filepath.Join(string(d), name))
		if public := name == "ca.crt" || name == ".lock"; err != nil || !public && info.Mode().Perm() != 0o600 {
			t.Errorf("%s is there for others: %v, %v", name, info.Mode(), err)
		}
	}
}

// TestDir_GoesOnWhereItWasInterrupted: an interrupted start is completed, and its existing files
// are kept.
func TestDir_GoesOnWhereItWasInterrupted(t *testing.T) {
	t.Parallel()
	for _, lost := range [][]string{{"ca.crt"}, {"tls.crt"}, {"tls.crt", "tls.key"}, {"tokens.csv"}, {"ca.crt", "tls.crt", "tokens.csv"}} {
		d := credential.Dir(t.TempDir())
		if err := d.Fill([]string{"localhost"}); err != nil {
			t.Fatal(err)
		}
		before := read(t, d)
		for _, name := range lost {
			if err := os.Remove(filepath.Join(string(d), name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Fill([]string{"localhost"}); err != nil {
			t.Fatal(err)
		}
		leaf(t, d, "localhost")
		after := read(t, d)
		if len(after) != len(before) || after["ca.key"] != before["ca.key"] {
			t.Errorf("without %v: %d files of %d came back", lost, len(after), len(before))
		}
	}
}

// TestDir_NamesOnlyGrow: a server with further names gets a certificate for these and the existing
// ones.
func TestDir_NamesOnlyGrow(t *testing.T) {
	t.Parallel()
	d := credential.Dir(t.TempDir())
	for _, names := range [][]string{{"localhost", "::1"}, {"rowlock.example", "10.1.2.3"}, {"localhost"}} {
		if err := d.Fill(names); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"localhost", "::1", "rowlock.example", "10.1.2.3"} {
		leaf(t, d, name)
	}
}

// TestDir_RefusesAStrangeAuthority: files that do not belong together are refused rather than
// overwritten.
func TestDir_RefusesAStrangeAuthority(t *testing.T) {
	t.Parallel()
	d, other := credential.Dir(t.TempDir()), credential.Dir(t.TempDir())
	for _, dir := range []credential.Dir{d, other} {
		if err := dir.Fill(nil); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(other.CAFile())
	if err == nil {
		err = os.WriteFile(d.CAFile(), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Fill(nil); err == nil || !strings.Contains(err.Error(), "does not belong to") {
		t.Errorf("got %v", err)
	}
}

// TestKeyPair_IsReadAgain: a server presents the new certificate at the first handshake after its
// files have changed, and the old one while they are broken.
func TestKeyPair_IsReadAgain(t *testing.T) {
	t.Parallel()
	d := credential.Dir(t.TempDir())
	if err := d.Fill([]string{"localhost"}); err != nil {
		t.Fatal(err)
	}
	pair, err := credential.OpenKeyPair(slog.New(slog.DiscardHandler), d.CertFile(), d.KeyFile())
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", credential.ServerTLS(pair))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // it is only read
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func(c net.Conn) { _ = c.(*tls.Conn).Handshake(); _ = c.Close() }(conn)
		}
	}()
	shown := func() *x509.Certificate {
		t.Helper()
		conn, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() //nolint:errcheck // it is only read
		return conn.ConnectionState().PeerCertificates[0]
	}
	first := shown()
	if err := os.WriteFile(d.CertFile(), []byte("half a certifi"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := shown(); !got.Equal(first) {
		t.Error("a broken file was shown")
	}
	if err := d.Fill([]string{"localhost", "other"}); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got.Equal(first) || got.VerifyHostname("other") != nil {
		t.Error("the old certificate is still shown")
	}
	old := &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	if conn, err := tls.Dial("tcp", listener.Addr().String(), old); err == nil {
		_ = conn.Close()
		t.Error("TLS 1.1 is spoken")
	}
}

// TestFile_Pauses: a file is not checked again before its pause is over.
func TestFile_Pauses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write := func(text string) {
		if err := credential.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a")
	open := func(pause time.Duration) *credential.File[string] {
		f, err := credential.Open(slog.New(slog.DiscardHandler), pause, func() (string, error) {
			text, err := os.ReadFile(path)
			return string(text), err
		}, path)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	eager, lazy := open(0), open(time.Hour)
	write("bc")
	if eager.Get() != "bc" || lazy.Get() != "a" {
		t.Errorf("read %q and %q", eager.Get(), lazy.Get())
	}
}
