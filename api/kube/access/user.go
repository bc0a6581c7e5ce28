package access

import (
	authenticationv1 "k8s.io/api/authentication/v1"

	"github.com/rowlock/rowlock/api/auth"
)

// UserInfo converts a user to Kubernetes' type.
func UserInfo(u *auth.User) authenticationv1.UserInfo {
	info := authenticationv1.UserInfo{Username: u.Name, UID: u.UID, Groups: u.Groups}
	for key, values := range u.Extra {
		if info.Extra == nil {
			info.Extra = map[string]authenticationv1.ExtraValue{}
		}
		info.Extra[key] = values
	}
	return info
}
