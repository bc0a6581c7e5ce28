package podspec

import (
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Maximum lengths, in bytes, of Windows names.
const (
	maxCredentialSpecKiB = 64
	maxWindowsDomain     = 256 // one more than allowed
	maxWindowsUser       = 104
)

// Characters in Windows names.
var (
	controlCharacter  = regexp.MustCompile(`[[:cntrl:]]`)
	netBIOSName       = regexp.MustCompile(`^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$`)
	windowsDomain     = regexp.MustCompile(`^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`)
	dotsAndSpacesOnly = regexp.MustCompile(`^[. ]+$`)
)

const notInWindowsUser = `"/\:;|=,+*?<>@[]`

// validateWindowsOptions validates credentials and users of Windows containers.
//
// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateWindowsSecurityContextOptions
func validateWindowsOptions(o *corev1.WindowsSecurityContextOptions, path *field.Path) field.ErrorList {
	if o == nil {
		return nil
	}
	var errs field.ErrorList
	if name := o.GMSACredentialSpecName; name != nil {
		errs = append(errs, check.Invalid(path.Child("gmsaCredentialSpecName"), *name, utilvalidation.IsDNS1123Subdomain(*name))...)
	}
	if spec := o.GMSACredentialSpec; spec != nil {
		at := path.Child("gmsaCredentialSpec")
		switch n := len(*spec); {
		case n == 0:
			errs = append(errs, field.Invalid(at, *spec, "gmsaCredentialSpec cannot be an empty string"))
		case n > maxCredentialSpecKiB<<10:
			errs = append(errs, field.Invalid(at, *spec, fmt.Sprintf("gmsaCredentialSpec size must be under %d KiB", maxCredentialSpecKiB)))
		}
	}
	if name := o.RunAsUserName; name != nil {
		errs = append(errs, check.Invalid(path.Child("runAsUserName"), *name, judgeWindowsUser(*name))...)
	}
	return errs
}

// judgeWindowsUser returns what is wrong with a user name, which may have a domain before a
// backslash.
func judgeWindowsUser(name string) (msgs []string) {
	domain, user, hasDomain := strings.Cut(name, `\`)
	switch {
	case name == "":
		return []string{"runAsUserName cannot be an empty string"}
	case controlCharacter.MatchString(name):
		return []string{"runAsUserName cannot contain control characters"}
	case strings.Contains(user, `\`):
		return []string{"runAsUserName cannot contain more than one backslash"}
	case !hasDomain:
		domain, user = "", name
	}
	if len(domain) >= maxWindowsDomain {
		msgs = append(msgs, fmt.Sprintf("runAsUserName's Domain length must be under %d characters", maxWindowsDomain))
	}
	if hasDomain && !netBIOSName.MatchString(domain) && !windowsDomain.MatchString(domain) {
		msgs = append(msgs, "runAsUserName's Domain doesn't match the NetBios nor the DNS format")
	}
	if user == "" {
		msgs = append(msgs, "runAsUserName's User cannot be empty")
	} else if len(user) > maxWindowsUser {
		msgs = append(msgs, fmt.Sprintf("runAsUserName's User length must not be longer than %d characters", maxWindowsUser))
	}
	if dotsAndSpacesOnly.MatchString(user) {
		msgs = append(msgs, "runAsUserName's User cannot contain only periods or spaces")
	}
	if strings.ContainsAny(user, notInWindowsUser) {
		msgs = append(msgs, "runAsUserName's User cannot contain the following characters: "+notInWindowsUser)
	}
	return msgs
}
