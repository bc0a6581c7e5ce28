package podspec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/kind/core/volume"
)

// deadVolumes lists volume types that no longer work, in the order of their warnings.
var deadVolumes = []struct {
	name, text string
	set        func(s *corev1.VolumeSource) bool
}{
	{"photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+", func(s *corev1.VolumeSource) bool { return s.PhotonPersistentDisk != nil }},
	{"gitRepo", "deprecated in v1.11, and disabled by default in v1.33+", func(s *corev1.VolumeSource) bool { return s.GitRepo != nil }},
	{"scaleIO", "deprecated in v1.16, non-functional in v1.22+", func(s *corev1.VolumeSource) bool { return s.ScaleIO != nil }},
	{"flocker", "deprecated in v1.22, non-functional in v1.25+", func(s *corev1.VolumeSource) bool { return s.Flocker != nil }},
	{"storageOS", "deprecated in v1.22, non-functional in v1.25+", func(s *corev1.VolumeSource) bool { return s.StorageOS != nil }},
	{"quobyte", "deprecated in v1.22, non-functional in v1.25+", func(s *corev1.VolumeSource) bool { return s.Quobyte != nil }},
	{"glusterfs", "deprecated in v1.25, non-functional in v1.26+", func(s *corev1.VolumeSource) bool { return s.Glusterfs != nil }},
	{"ephemeral", "", func(s *corev1.VolumeSource) bool { return s.Ephemeral != nil && s.Ephemeral.VolumeClaimTemplate != nil }},
	{"cephfs", "deprecated in v1.28, non-functional in v1.31+", func(s *corev1.VolumeSource) bool { return s.CephFS != nil }},
	{"rbd", "deprecated in v1.28, non-functional in v1.31+", func(s *corev1.VolumeSource) bool { return s.RBD != nil }},
}

// volumes warns about volume types that no longer work, claims for fractions of a byte, and files
// that hide each other.
func (w *podWarnings) volumes() {
	for i := range w.spec.Volumes {
		s := &w.spec.Volumes[i].VolumeSource
		for _, dead := range deadVolumes {
			switch {
			case !dead.set(s):
			case dead.text == "":
				at := w.path.Child("spec", "volumes").Index(i).Child("ephemeral", "volumeClaimTemplate", "spec")
				w.texts = append(w.texts, volume.WarnOfClaim(&s.Ephemeral.VolumeClaimTemplate.Spec, at)...)
			default:
				w.at(w.path.Child("spec", "volumes").Index(i).Child(dead.name), dead.text)
			}
		}
	}
	for i := range w.spec.Volumes {
		w.files(&w.spec.Volumes[i])
	}
}

// volumeFile is a file of a volume, with its source in a projected volume.
type volumeFile struct{ path, source string }

func (f volumeFile) String() string {
	if f.source == "" {
		return fmt.Sprintf("%q", f.path)
	}
	return fmt.Sprintf("%q (%s)", f.path, f.source)
}

// files warns about files of a volume that hide each other, as far as the Pod names them.
func (w *podWarnings) files(v *corev1.Volume) {
	if s := v.ConfigMap; s != nil {
		w.overlaps(v, fmt.Sprintf("ConfigMap %q", s.Name), itemFiles(nil, s.Items, ""))
	}
	if s := v.Secret; s != nil {
		w.overlaps(v, fmt.Sprintf("Secret %q", s.SecretName), itemFiles(nil, s.Items, ""))
	}
	if s := v.DownwardAPI; s != nil {
		w.overlaps(v, "DownwardAPI", downwardFiles(nil, s.Items, ""))
	}
	if s := v.Projected; s != nil {
		w.projected(v, s)
	}
}

func itemFiles(files []volumeFile, items []corev1.KeyToPath, source string) []volumeFile {
	for _, item := range items {
		files = append(files, volumeFile{item.Path, source})
	}
	return files
}

func downwardFiles(files []volumeFile, items []corev1.DownwardAPIVolumeFile, source string) []volumeFile {
	for _, item := range items {
		files = append(files, volumeFile{item.Path, source})
	}
	return files
}

func (w *podWarnings) projected(v *corev1.Volume, s *corev1.ProjectedVolumeSource) {
	var files []volumeFile
	var empty []int // the number of files before each source without a type
	for i := range s.Sources {
		p := &s.Sources[i]
		if *p == (corev1.VolumeProjection{}) {
			empty = append(empty, len(files))
			continue
		}
		files = projectedFiles(files, p)
	}
	done := 0
	for _, n := range empty {
		w.overlapsFrom(v, "Projected", files[:n], done)
		w.texts = append(w.texts, fmt.Sprintf("volume %q (Projected) has no sources provided", v.Name))
		done = n
	}
	w.overlapsFrom(v, "Projected", files, done)
}

// projectedFiles adds the files of one source.
func projectedFiles(files []volumeFile, p *corev1.VolumeProjection) []volumeFile {
	switch {
	case p.ConfigMap != nil && p.ConfigMap.Items != nil:
		return itemFiles(files, p.ConfigMap.Items, fmt.Sprintf("ConfigMap %q", p.ConfigMap.Name))
	case p.Secret != nil && p.Secret.Items != nil:
		return itemFiles(files, p.Secret.Items, fmt.Sprintf("Secret %q", p.Secret.Name))
	case p.DownwardAPI != nil && p.DownwardAPI.Items != nil:
		return downwardFiles(files, p.DownwardAPI.Items, "DownwardAPI")
	case p.ServiceAccountToken != nil:
		return append(files, volumeFile{p.ServiceAccountToken.Path, "ServiceAccountToken"})
	case p.ClusterTrustBundle != nil:
		name := p.ClusterTrustBundle.Name
		if name == nil {
			name = p.ClusterTrustBundle.SignerName
		}
		return append(files, volumeFile{p.ClusterTrustBundle.Path, fmt.Sprintf("ClusterTrustBundle %q", *name)})
	case p.PodCertificate != nil:
		for _, f := range []volumeFile{
			{p.PodCertificate.CertificateChainPath, "PodCertificate chain"},
			{p.PodCertificate.KeyPath, "PodCertificate key"},
			{p.PodCertificate.CredentialBundlePath, "PodCertificate credential bundle"},
		} {
			if f.path != "" {
				files = append(files, f)
			}
		}
	}
	return files
}

func (w *podWarnings) overlaps(v *corev1.Volume, what string, files []volumeFile) {
	w.overlapsFrom(v, what, files, 0)
}

// maxOverlapWarnings limits the warnings about one volume, whose number may be quadratic in its
// files.
const maxOverlapWarnings = 1000

// overlapsFrom warns about files, from first on, with the same path as an earlier one, or above or
// below it.
//
// Differs: it returns at most 1,000 warnings for a volume.
func (w *podWarnings) overlapsFrom(v *corev1.Volume, what string, files []volumeFile, first int) {
	if len(files) < 2 {
		return
	}
	for i := range files {
		files[i].path = strings.TrimRight(files[i].path, "/")
	}
	met := overlapping(files)
	said := 0
	for n, i := range met {
		if i < first {
			continue
		}
		if said >= maxOverlapWarnings {
			return
		}
		for _, j := range met[:n] {
			if path, other := files[i], files[j]; within(path.path, other.path) || within(other.path, path.path) {
				said++
				w.texts = append(w.texts, fmt.Sprintf("volume %q (%s): overlapping paths: %s with %s", v.Name, what, path, other))
			}
		}
	}
}

// overlapping returns the indexes, in order, of files whose path equals that of another file, or is
// below or above it. It takes the time to sort them.
func overlapping(files []volumeFile) (numbers []int) {
	type place struct {
		path   string // with a trailing slash, so that paths below it sort right after it
		number int
	}
	places := make([]place, 0, len(files))
	for i, f := range files {
		if f.path != "" {
			places = append(places, place{f.path + "/", i})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return strings.Compare(a.path, b.path) })
	met := make(map[int]bool)
	var above []place
	for _, p := range places {
		for len(above) > 0 && !strings.HasPrefix(p.path, above[len(above)-1].path) {
			above = above[:len(above)-1]
		}
		if n := len(above); n > 0 {
			met[p.number], met[above[n-1].number] = true, true
		}
		above = append(above, p)
	}
	return slices.Sorted(maps.Keys(met))
}

// within reports whether a path equals another or is below it.
func within(path, other string) bool {
	return strings.HasPrefix(path, other) && (len(path) == len(other) || path[len(other)] == '/')
}
