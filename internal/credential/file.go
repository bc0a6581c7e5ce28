package credential

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// File is a value that is read from files. It is safe for concurrent use.
type File[T any] struct {
	paths []string
	pause time.Duration
	read  func() (T, error)
	log   *slog.Logger

	current atomic.Pointer[T]
	mu      sync.Mutex // held while checking the files
	looked  atomic.Int64
	seen    []stamp // guarded by mu
}

// stamp distinguishes two states of a file.
type stamp struct {
	changed time.Time
	size    int64
}

// Open reads the value for the first time; its error is that of reading. Get checks the files again
// once the pause is over; without a pause, at each call.
func Open[T any](log *slog.Logger, pause time.Duration, read func() (T, error), paths ...string) (*File[T], error) {
	f := &File[T]{paths: paths, pause: pause, read: read, log: log}
	f.seen = f.stamps()
	f.looked.Store(time.Now().UnixNano())
	value, err := read()
	if err != nil {
		return nil, err
	}
	f.current.Store(&value)
	return f, nil
}

// Get returns the value in the files. If files cannot be read, perhaps because they are just being
// written, the value is unchanged, and they are checked again after their next change.
func (f *File[T]) Get() T {
	now := time.Now() // real time: files know no other
	if now.UnixNano()-f.looked.Load() >= int64(f.pause) && f.mu.TryLock() {
		f.looked.Store(now.UnixNano())
		f.refreshLocked()
		f.mu.Unlock()
	}
	return *f.current.Load()
}

// refreshLocked reads the files if they have changed.
func (f *File[T]) refreshLocked() {
	stamps := f.stamps()
	if slices.Equal(stamps, f.seen) {
		return
	}
	f.seen = stamps
	value, err := f.read()
	if err != nil {
		f.log.Error("credentials have changed or are gone, and cannot be read: those read before still count", "files", f.paths, "error", err)
		return
	}
	f.current.Store(&value)
	f.log.Info("credentials were read again", "files", f.paths)
}

// stamps returns the files' current states; that of a missing one is the zero stamp.
func (f *File[T]) stamps() []stamp {
	out := make([]stamp, len(f.paths))
	for i, path := range f.paths {
		if info, err := os.Stat(path); err == nil {
			out[i] = stamp{info.ModTime(), info.Size()}
		}
	}
	return out
}

// OpenKeyPair reads a server's certificate chain and its key. It checks the files at every
// handshake.
func OpenKeyPair(log *slog.Logger, certFile, keyFile string) (*File[*tls.Certificate], error) {
	return Open(log, 0, func() (*tls.Certificate, error) {
		pair, err := tls.LoadX509KeyPair(certFile, keyFile)
		return &pair, err
	}, certFile, keyFile)
}

// OpenPool reads the certificates of authorities.
func OpenPool(log *slog.Logger, path string) (*File[*x509.CertPool], error) {
	return Open(log, time.Second, func() (*x509.CertPool, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s: %w", path, errNoCertificate)
		}
		return pool, nil
	}, path)
}

var errNoCertificate = errors.New("no certificate in PEM is in it")

// ServerTLS returns a server's TLS configuration with a certificate: at least 1.2, with Go's choice
// of ciphers. Clients may present certificates of their own, which request authentication judges.
func ServerTLS(pair *File[*tls.Certificate]) *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		ClientAuth:     tls.RequestClientCert,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return pair.Get(), nil },
	}
}
