// Package auth authenticates and authorizes requests.
//
// An Authenticator authenticates a request by a client certificate or a bearer token. The User is
// then in the request's context, where FromContext finds it. On a server without a login, every
// caller is Local.
package auth
