package object

// MaxGeneratedBase is how much of a generateName a generated name keeps, so that it is still a DNS
// label with its suffix.
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/names/generate.go.
const MaxGeneratedBase = 58

// GeneratedName combines a generateName with a random suffix of five characters.
func GeneratedName(base, suffix string) string {
	if len(base) > MaxGeneratedBase {
		base = base[:MaxGeneratedBase]
	}
	return base + suffix
}
