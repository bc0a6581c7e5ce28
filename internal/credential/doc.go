// Package credential creates and reads the files by which a server and its clients authenticate
// each other: certificates, keys and tokens. A Dir is a directory of them that fills itself on
// first use. A File is a value read from files that rereads them when they have changed, so that
// certificates can be renewed and tokens revoked while a server runs.
package credential
