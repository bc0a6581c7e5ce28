// Package serviceaccount makes the tokens that authenticate programs as a ServiceAccount, and
// verifies presented tokens. A token is a JSON Web Token, signed with the cluster's Key by RS256.
// It expires by itself, or earlier with the objects that it is bound to.
//
// Times in tokens are real, whatever the cluster's clock says: programs outside check them by their
// own clocks.
package serviceaccount
