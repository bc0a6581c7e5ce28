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

// Tokens are static bearer tokens and whose they are. They never change.
type Tokens struct {
	bySum map[[sha256.Size]byte]known
	admin string // the first token of a master
}

// known is a token, by its sum, and whose it is.
type known struct {
	sum  [sha256.Size]byte
	user *User
}

// byteOrderMark may begin a text in UTF-8.
const byteOrderMark = "\ufeff"

// ReadTokens reads token files, as if they were one: a line for each token, with the token, a user,
// a uid and, optionally, the groups in one column. Of two lines with the same token, the later
// counts.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/token/tokenfile/tokenfile.go, NewCSV
//
// Differs: an empty token or user is refused, as whoever writes one has made a mistake. A line that begins with # is a comment, as
// whoever writes one means to revoke the token; upstream has a token that begins with #. A byte order mark, as some editors write
// it, is no part of the first token.
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
		_, _ = text.Discard(len(byteOrderMark)) // it was there a moment ago
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
			return fmt.Errorf("line %d: has %d columns, and needs at least 3: token, user name, user uid", line, len(record))
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

// Admin is the first token of somebody who may do everything, for a kubeconfig; "" if there is
// none.
func (t *Tokens) Admin() string { return t.admin }

// find is whose token it is; nil if nobody's. How long that takes says nothing about the tokens
// there are: they are found by a sum that nobody can steer, and the whole sum is compared in
// constant time.
func (t *Tokens) find(token string) *User {
	sum := sha256.Sum256([]byte(token))
	known, ok := t.bySum[sum]
	if !ok || subtle.ConstantTimeCompare(known.sum[:], sum[:]) != 1 {
		return nil
	}
	return known.user
}

// authenticated adds the group of all who have shown who they are.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/group/authenticated_group_adder.go
func authenticated(u *User) *User {
	if !u.In(Authenticated) && u.Name != AnonymousName {
		u.Groups = append(slices.Clip(u.Groups), Authenticated)
	}
	return u
}
