package auth

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Tokens holds static bearer tokens and their users. It is immutable.
type Tokens struct {
	bySum map[[sha256.Size]byte]known
	admin string // the first token of a master
}

// known is the SHA-256 sum of a token, with its user.
type known struct {
	sum  [sha256.Size]byte
	user *User
}

// byteOrderMark is what some editors put at the start of a UTF-8 file.
const byteOrderMark = "\ufeff"

// ReadTokens reads token files as if they were one. A line has a token, a user name, a uid and,
// optionally, the groups in one column. If two lines have the same token, the later one counts.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/token/tokenfile/tokenfile.go, NewCSV
//
// Differs: an empty token or user name is an error, because it must be a mistake. A line that
// starts with # is a comment, because its author means to revoke the token; upstream reads a token
// that starts with #. A byte order mark is not part of the first token.
func ReadTokens(files ...io.Reader) (*Tokens, error) {
	t := &Tokens{bySum: map[[sha256.Size]byte]known{}}
	for _, r := range files {
		if err := t.read(r); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// read adds the tokens of a file.
func (t *Tokens) read(r io.Reader) error {
	text := bufio.NewReader(r)
	if start, err := text.Peek(len(byteOrderMark)); err == nil && string(start) == byteOrderMark {
		_, _ = text.Discard(len(byteOrderMark)) // cannot fail: it was just peeked
	}
	lines := csv.NewReader(text)
	lines.FieldsPerRecord, lines.Comment = -1, '#'
	for {
		record, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := lines.FieldPos(0)
		if len(record) < 3 {
			return fmt.Errorf("line %d: has %d columns; it needs at least 3: token, user name, user uid", line, len(record))
		}
		token, u := record[0], &User{Name: record[1], UID: record[2]}
		if token == "" || u.Name == "" {
			return fmt.Errorf("line %d: the token or the user name is empty", line)
		}
		if len(record) > 3 && record[3] != "" {
			u.Groups = strings.Split(record[3], ",")
		}
		if t.admin == "" && u.In(Masters) {
			t.admin = token
		}
		sum := sha256.Sum256([]byte(token))
		t.bySum[sum] = known{sum, authenticated(u)}
	}
}

// Admin returns the first token of a master, for a kubeconfig; "" if there is none.
func (t *Tokens) Admin() string { return t.admin }

// find returns the owner of a token, or nil. Its running time reveals nothing about
// the existing tokens: it looks up a hash that clients cannot choose, and compares the whole hash
// in constant time.
func (t *Tokens) find(token string) *User {
	sum := sha256.Sum256([]byte(token))
	known, ok := t.bySum[sum]
	if !ok || subtle.ConstantTimeCompare(known.sum[:], sum[:]) != 1 {
		return nil
	}
	return known.user
}

// authenticated adds the group system:authenticated.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/group/authenticated_group_adder.go
func authenticated(u *User) *User {
	if !u.In(Authenticated) && u.Name != AnonymousName {
		u.Groups = append(slices.Clip(u.Groups), Authenticated)
	}
	return u
}
