// Package auth says who sends a request and what they may do.
//
// A request is authenticated (Authenticator) by a client's certificate or a bearer token; the User
// is then in its context, where FromContext finds it. A server without a login takes everybody for
// Local.
package auth
