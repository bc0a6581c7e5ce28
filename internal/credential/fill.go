package credential

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Admin is the user of the token that Fill makes, and AdminGroup the user's group that may do
// everything.
const (
	Admin      = "system:admin"
	AdminGroup = "system:masters"
)

// Fill creates what is missing in the directory, and the directory itself: an authority, a token,
// and a server certificate for the names, which is renewed when it lacks one of them or is about to
// expire. Existing files stay as they are. It may be interrupted between any two steps and
// repeated; another process that does the same waits. A directory in which others could have put
// files of their own is refused.
func (d Dir) Fill(names []string) error {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return err
	}
	if err := d.trusted(); err != nil {
		return err
	}
	unlock, err := lockedfile.MutexAt(d.file(".lock")).Lock()
	if err != nil {
		return err
	}
	defer unlock()
	authority, err := d.authority()
	if err != nil {
		return err
	}
	if err := d.server(authority, names); err != nil {
		return err
	}
	return d.token()
}

// token creates the administrator's token.
func (d Dir) token() error {
	if _, err := os.Stat(d.TokenFile()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	line := fmt.Sprintf("%s,%s,%s,%q\n", base64.RawURLEncoding.EncodeToString(secret[:]), Admin, Admin, AdminGroup)
	return WriteFile(d.TokenFile(), []byte(line), 0o600)
}
