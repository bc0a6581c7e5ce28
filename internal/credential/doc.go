// Package credential makes and reads the files by which a server and its clients know each other: certificates, keys and
// tokens. A Dir is a directory of them that fills itself at its first use. A File is whatever was read from files, and reads them
// again when they have changed, so that certificates can be renewed and tokens revoked while a server runs.
package credential
