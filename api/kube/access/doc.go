// Package access tells reviews and admission who a user is and what they may do. For the tokens of
// service accounts, it decides the claims and serves the documents of their issuer.
package access
