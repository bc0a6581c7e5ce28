package image

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/distribution/reference"
	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Image is the image of one image name, as a container spells it. It is shared and must not be
// changed.
type Image struct {
	Name      string // as in the container, "nginx:1.14.2"
	Reference string // with registry and tag, "docker.io/library/nginx:1.14.2"
	ID        string // with the digest, "docker.io/library/nginx@sha256:…"
	SizeBytes int64  // as in the Pulled event

	// PullError is the container runtime's error for pulling the image; empty if it can be pulled.
	PullError string

	model *entry
	tag   string // empty if the reference has only a digest

	timeline Timeline // of a container without a command line of its own
}

// InvalidNameError says that an image name cannot be parsed.
type InvalidNameError struct {
	Name  string
	Cause error
}

func (e *InvalidNameError) Error() string {
	return fmt.Sprintf("couldn't parse image name %q: %v", e.Name, e.Cause)
}

func (e *InvalidNameError) Unwrap() error { return e.Cause }

// rememberedImages bounds how many names a Catalogue caches.
const rememberedImages = 10_000

// Catalogue finds the image for a name. It is safe for concurrent use; its only mutable state is a
// cache. The zero Catalogue knows no repository, so every image exists.
type Catalogue struct {
	models map[string]*entry // by repository; never changed after New

	mu         sync.RWMutex
	remembered map[string]found
}

type found struct {
	image *Image
	err   error
}

// entry is a Model with values that are computed once, when they are first needed.
type entry struct {
	Model
	unknown bool

	once sync.Once
	base *vfs.Base
	err  error
}

// unknown stands for every repository that is in no catalogue. There is only one, so that all such
// images share its files.
var unknown = &entry{Model: Model{Distribution: generic, MissingTags: saidMissing}, unknown: true}

// New returns a catalogue of the models. If two have the same repository, the later one wins; so
// users' models come after Known.
func New(models ...Model) *Catalogue {
	c := &Catalogue{models: make(map[string]*entry, len(models))}
	for i := range models {
		c.models[models[i].Repository] = &entry{Model: models[i]}
		delete(c.models, models[i].Repository+onAlpine) // belongs to the model that this one replaces
		if models[i].alpine {
			m := models[i]
			m.Repository, m.Distribution = m.Repository+onAlpine, Alpine
			c.models[m.Repository] = &entry{Model: m}
		}
	}
	return c
}

// onAlpine follows the repository in the name of the model for tags such as 1.27-alpine, whose
// images are built on Alpine.
const onAlpine = ":alpine"

// mirrors are registries, or parts of them, that mirror others.
var mirrors = []struct{ mirror, of string }{
	{"k8s.gcr.io/", "registry.k8s.io/"},
	{"gcr.io/google-containers/", "registry.k8s.io/"},
	{"gcr.io/google_containers/", "registry.k8s.io/"},
	{"gcr.io/google_samples/", "gcr.io/google-samples/"},
	{"us-docker.pkg.dev/google-samples/containers/gke/", "gcr.io/google-samples/"},
	{"public.ecr.aws/docker/library/", "docker.io/library/"},
	{"mirror.gcr.io/library/", "docker.io/library/"},
}

// bitnamiPaths are the paths of Bitnami's images in any registry: users of charts may put another
// registry before the name.
var bitnamiPaths = []string{"/bitnami/", "/bitnamilegacy/", "/bitnamisecure/"}

// lookUp returns the model of a repository: its own, that of the repository which its registry
// mirrors, or that of everything below one of its parents.
func (c *Catalogue) lookUp(repository string) *entry {
	if m := c.models[repository]; m != nil {
		return m
	}
	for _, r := range mirrors {
		if rest, ok := strings.CutPrefix(repository, r.mirror); ok {
			if m := c.models[r.of+rest]; m != nil {
				return m
			}
		}
	}
	for _, path := range bitnamiPaths {
		if _, rest, ok := strings.Cut(repository, path); ok {
			if m := c.models["docker.io/bitnami/"+rest]; m != nil {
				return m
			}
		}
	}
	for i := len(repository) - 1; i > 0; i-- {
		if repository[i] == '/' {
			if m := c.models[repository[:i]+"/*"]; m != nil {
				return m
			}
		}
	}
	return unknown
}

// Find resolves an image name as the kubelet and the container runtime do: it adds the default
// registry and tag. The error is an *InvalidNameError; an image that does not exist is not an error but
// has a PullError.
func (c *Catalogue) Find(name string) (*Image, error) {
	c.mu.RLock()
	f, ok := c.remembered[name]
	c.mu.RUnlock()
	if ok {
		return f.image, f.err
	}
	f.image, f.err = c.find(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.remembered == nil || len(c.remembered) >= rememberedImages {
		c.remembered = map[string]found{}
	}
	c.remembered[name] = f
	return f.image, f.err
}

func (c *Catalogue) find(name string) (*Image, error) {
	named, err := reference.ParseNormalizedNamed(name)
	if err != nil {
		return nil, &InvalidNameError{Name: name, Cause: err}
	}
	repository := named.Name()
	img := &Image{Name: name, model: c.lookUp(repository)}
	if digested, ok := named.(reference.Digested); ok {
		img.Reference = named.String()
		img.ID = repository + "@" + digested.Digest().String()
	} else {
		named = reference.TagNameOnly(named)
		img.tag = named.(reference.Tagged).Tag()
		img.Reference = named.String()
		sum := sha256.Sum256([]byte(img.Reference))
		img.ID = repository + "@sha256:" + hex.EncodeToString(sum[:])
	}
	if m := c.models[img.model.Repository+onAlpine]; m != nil && strings.Contains(img.tag, "alpine") {
		img.model = m
	}
	img.SizeBytes = sizeOf(img.ID)
	img.PullError = img.model.pullError(img.Reference, repository, img.tag)
	img.timeline = img.timelineOf(&corev1.Container{})
	return img, nil
}

// sizeOf returns an invented size between 1 and 257 MB that depends only on the digest.
func sizeOf(id string) int64 {
	sum := sha256.Sum256([]byte(id))
	return 1_000_000 + (int64(sum[0])<<16|int64(sum[1])<<8|int64(sum[2]))*16
}
