// Package access answers what users may do and who they are, for reviews and admission, and issues the
// tokens of service accounts.
package access
