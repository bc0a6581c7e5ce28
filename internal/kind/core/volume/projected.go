package volume

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// Minimum and maximum lifetime of a service account token, in seconds.
const (
	minTokenSeconds = 10 * 60
	maxTokenSeconds = 1 << 32
)

// projection validates the sources of one projected volume, which share a directory.
type projection struct {
	at    *field.Path // path of the volume's source, which upstream uses for some fields
	paths sets.Set[string]
	errs  field.ErrorList
}

// Source: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateProjectedVolumeSource and
// validateProjectionSources
func validateProjected(v volumeInPod, at *field.Path) field.ErrorList {
	p := &projection{at: at, paths: sets.New[string](), errs: validateMode(v.Projected.DefaultMode, at.Child("defaultMode"))}
	for i := range v.Projected.Sources {
		p.judge(&v.Projected.Sources[i], at.Child("sources").Index(i))
	}
	return p.errs
}

func (p *projection) judge(s *corev1.VolumeProjection, at *field.Path) {
	types := 0
	if s.Secret != nil {
		types++
		p.judgeKeys(s.Secret.Name, s.Secret.Items, at.Child("secret"))
	}
	if s.ConfigMap != nil {
		types++
		p.judgeKeys(s.ConfigMap.Name, s.ConfigMap.Items, at.Child("configMap"))
	}
	if s.DownwardAPI != nil {
		types++
		for i := range s.DownwardAPI.Items {
			file := &s.DownwardAPI.Items[i]
			p.errs = append(p.errs, validateDownwardFile(file, at.Child("downwardAPI"))...)
			p.take(file.Path, file.Path)
		}
	}
	if s.ServiceAccountToken != nil {
		types++
		p.judgeToken(s.ServiceAccountToken, at.Child("serviceAccountToken", "expirationSeconds"))
	}
	if types > 1 {
		p.errs = append(p.errs, field.Forbidden(at, "may not specify more than 1 volume type per source"))
	}
}

func (p *projection) judgeKeys(name string, items []corev1.KeyToPath, at *field.Path) {
	p.errs = append(p.errs, check.Required(at, check.Need("name", name))...)
	for i, item := range items {
		p.errs = append(p.errs, validateKeyToPath(item, at.Child("items").Index(i))...)
		p.take(item.Path, name)
	}
}

func (p *projection) judgeToken(t *corev1.ServiceAccountTokenProjection, at *field.Path) {
	if seconds := t.ExpirationSeconds; seconds != nil && *seconds < minTokenSeconds {
		p.errs = append(p.errs, field.Invalid(at, *seconds, "may not specify a duration less than 10 minutes"))
	} else if seconds != nil && *seconds > maxTokenSeconds {
		p.errs = append(p.errs, field.Invalid(at, *seconds, "may not specify a duration larger than 2^32 seconds"))
	}
	if t.Path == "" {
		p.errs = append(p.errs, field.Required(p.at.Child("path"), ""))
		return
	}
	p.errs = append(p.errs, validateFreePath(t.Path, p.at.Child("path"))...)
}

// take reserves a path in the directory; owner is shown in upstream's message if the path is taken.
// An owner name that is too long for any object is not repeated.
func (p *projection) take(path, owner string) {
	if len(owner) > utilvalidation.DNS1123SubdomainMaxLength {
		owner = path
	}
	switch {
	case path == "":
	case p.paths.Has(path):
		p.errs = append(p.errs, field.Invalid(p.at, owner, "conflicting duplicate paths"))
	default:
		p.paths.Insert(path)
	}
}
