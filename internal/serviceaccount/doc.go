// Package serviceaccount makes the tokens by which programs show that they act for a ServiceAccount, and judges tokens that are
// shown. A token is a JSON Web Token, signed with the cluster's Key by RS256. It ends by itself, and before that with the objects
// that it is bound to.
//
// Times in tokens are real, whatever the cluster's clock says: programs outside judge them by their own clocks.
package serviceaccount
