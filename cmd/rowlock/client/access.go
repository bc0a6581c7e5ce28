package client

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rowlock/rowlock/api/auth"
	"github.com/rowlock/rowlock/internal/credential"
)

// Access is what a client needs to connect to a server.
type Access struct {
	Server string
	CA     []byte // in PEM; nil for authorities that the client trusts anyway
	Token  string
}

// accessOf returns the server's authority and the administrator's token from a directory of
// credentials; nothing without a directory.
func accessOf(dir string) (Access, error) {
	if dir == "" {
		return Access{}, nil
	}
	d := credential.Dir(dir)
	ca, err := Certificates(d.CAFile())
	if errors.Is(err, fs.ErrNotExist) {
		return Access{}, fmt.Errorf("%s has no credentials yet: run `rowlock serve --credentials-dir`, which creates them", dir)
	}
	if err != nil {
		return Access{}, err
	}
	tokens, err := ReadTokens([]string{d.TokenFile()})
	if err != nil {
		return Access{}, err
	}
	return Access{CA: ca, Token: tokens.Admin()}, nil
}

// ReadTokens reads token files as if they were one.
func ReadTokens(paths []string) (*auth.Tokens, error) {
	all := make([]io.Reader, 0, len(paths))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if _, err := auth.ReadTokens(bytes.NewReader(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, bytes.NewReader(text))
	}
	return auth.ReadTokens(all...)
}

// Certificates returns those in a PEM file, without keys that it may contain.
func Certificates(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []byte
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			out = append(out, pem.EncodeToMemory(block)...)
		}
	}
	return out, nil
}
