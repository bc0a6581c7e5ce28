package image

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"sync"

	"github.com/distribution/reference"
)

// Model says what the images of one repository are like.
type Model struct {
	// Repository is the full name, "docker.io/library/nginx".
	Repository string

	// Absent is true where no image of the repository can be pulled. MissingTags are the tags that do not exist,
	// as patterns of path.Match; all others do.
	Absent      bool
	MissingTags []string

	// Entrypoint and Cmd are what runs when a container gives neither command nor args, by the same rules as
	// Docker's. Both empty mean a program that is not known: it runs until it is stopped.
	Entrypoint []string
	Cmd        []string

	// Ports are the TCP ports on which the image's own program listens; nil where that is not known, and then
	// every port answers. Paths are the paths that HTTP answers with 200, nil for all.
	Ports []int32
	Paths []string
}

// Image is what one image name, as a container spells it, stands for. It is shared and must not be changed.
type Image struct {
	Name      string // as the container has it, "nginx:1.14.2"
	Reference string // with registry and tag, "docker.io/library/nginx:1.14.2"
	ID        string // with the digest instead, "docker.io/library/nginx@sha256:…"
	SizeBytes int64  // as the Pulled event tells it

	// PullError is how the container runtime refuses to pull the image; empty where it pulls.
	PullError string

	model *Model
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
	models map[string]*Model // by repository; never changed after New

	mu         sync.RWMutex
	remembered map[string]found
}

type found struct {
	image *Image
	err   error
}

// New makes a catalogue of the models. Where two have the same repository the later one counts, so that users'
// models go behind Known.
func New(models ...Model) *Catalogue {
	c := &Catalogue{models: make(map[string]*Model, len(models))}
	for i := range models {
		c.models[models[i].Repository] = &models[i]
	}
	return c
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
	img := &Image{Name: name, model: c.models[repository]}
	if img.model == nil {
		img.model = &Model{Repository: repository}
	}
	tag := ""
	if digested, ok := named.(reference.Digested); ok {
		img.Reference = named.String()
		img.ID = repository + "@" + digested.Digest().String()
	} else {
		named = reference.TagNameOnly(named)
		tag = named.(reference.Tagged).Tag()
		img.Reference = named.String()
		sum := sha256.Sum256([]byte(img.Reference))
		img.ID = repository + "@sha256:" + hex.EncodeToString(sum[:])
	}
	img.SizeBytes = sizeOf(img.ID)
	img.PullError = img.model.pullError(img.Reference, tag)
	return img, nil
}

// sizeOf makes up a size between 1 and 257 MB that depends on the digest alone.
func sizeOf(id string) int64 {
	sum := sha256.Sum256([]byte(id))
	return 1_000_000 + (int64(sum[0])<<16|int64(sum[1])<<8|int64(sum[2]))*16
}

// pullError is containerd's answer for a reference. An empty tag stands for a digest, which always exists.
func (m *Model) pullError(ref, tag string) string {
	failed := fmt.Sprintf("failed to pull and unpack image %q: failed to resolve reference %q: ", ref, ref)
	if m.Absent {
		return "rpc error: code = Unknown desc = " + failed + "pull access denied, repository does not exist or " +
			"may require authorization: server message: insufficient_scope: authorization failed"
	}
	for _, pattern := range m.MissingTags {
		if ok, _ := path.Match(pattern, tag); ok && tag != "" { // a malformed pattern matches nothing
			return "rpc error: code = NotFound desc = " + failed + ref + ": not found"
		}
	}
	return ""
}
