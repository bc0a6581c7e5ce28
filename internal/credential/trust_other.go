//go:build !unix

package credential

// trusted refuses nothing where permissions are not those of Unix.
func (d Dir) trusted() error { return nil }
