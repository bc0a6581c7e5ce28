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

// Image is what one image name, as a container spells it, stands for. It is shared and must not be changed.
type Image struct {
	Name      string // as the container has it, "nginx:1.14.2"
	Reference string // with registry and tag, "docker.io/library/nginx:1.14.2"
	ID        string // with the digest instead, "docker.io/library/nginx@sha256:…"
	SizeBytes int64  // as the Pulled event tells it

	// PullError is how the container runtime refuses to pull the image; empty where it pulls.
	PullError string

	model *entry
	tag   string // empty where the reference has a digest alone

	timeline Timeline // of a container that gives no command line of its own
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

// rememberedImages bounds how many names a Catalogue keeps in memory.
const rememberedImages = 10_000

// Catalogue finds the image for a name. It is safe for concurrent use; what it remembers is only a cache. The zero
// Catalogue knows no repository, so every image exists.
type Catalogue struct {
	models map[string]*entry // by repository; never changed after New

	mu         sync.RWMutex
	remembered map[string]found
}

type found struct {
	image *Image
	err   error
}

// entry is a Model and what is made of it, once, when it is first needed.
type entry struct {
	Model
	unknown bool

	once sync.Once
	base *vfs.Base
	err  error
}

// unknown stands for every repository that no catalogue has. It is the model's only one, so that all share its files.
var unknown = &entry{Model: Model{Distribution: generic, MissingTags: saidMissing}, unknown: true}

// New makes a catalogue of the models. Where two have the same repository the later one counts, so that users'
// models go behind Known.
func New(models ...Model) *Catalogue {
	c := &Catalogue{models: make(map[string]*entry, len(models))}
	for i := range models {
		c.models[models[i].Repository] = &entry{Model: models[i]}
		delete(c.models, models[i].Repository+onAlpine) // of a model that this one replaces
		if models[i].alpine {
			m := models[i]
			m.Repository, m.Distribution = m.Repository+onAlpine, Alpine
			c.models[m.Repository] = &entry{Model: m}
		}
	}
	return c
}

// onAlpine stands behind the repository in the name of the model for tags such as 1.27-alpine, whose images are built on Alpine.
const onAlpine = ":alpine"

// mirrors are registries, or parts of them, that have what another has.
var mirrors = []struct{ mirror, of string }{
	{"k8s.gcr.io/", "registry.k8s.io/"},
	{"gcr.io/google-containers/", "registry.k8s.io/"},
	{"gcr.io/google_containers/", "registry.k8s.io/"},
	{"gcr.io/google_samples/", "gcr.io/google-samples/"},
	{"us-docker.pkg.dev/google-samples/containers/gke/", "gcr.io/google-samples/"},
	{"public.ecr.aws/docker/library/", "docker.io/library/"},
	{"mirror.gcr.io/library/", "docker.io/library/"},
}

// bitnamiFolders are where Bitnami's images are, in whichever registry: charts let people put a registry of their own before the name.
var bitnamiFolders = []string{"/bitnami/", "/bitnamilegacy/", "/bitnamisecure/"}

// lookUp is the model for a repository: its own, that of the registry which its own mirrors, or that of all below one
// of its parents.
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
	for _, folder := range bitnamiFolders {
		if _, rest, ok := strings.Cut(repository, folder); ok {
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

// Find resolves an image name as kubelet and the container runtime would: registry and tag are filled in. The
// error is an *InvalidNameError; an image that does not exist is no error but has a PullError.
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

// sizeOf makes up a size between 1 and 257 MB that depends on the digest alone.
func sizeOf(id string) int64 {
	sum := sha256.Sum256([]byte(id))
	return 1_000_000 + (int64(sum[0])<<16|int64(sum[1])<<8|int64(sum[2]))*16
}
