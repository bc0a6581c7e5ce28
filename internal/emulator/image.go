package emulator

import (
	"github.com/rowlock/rowlock/internal/emulator/image"
	"github.com/rowlock/rowlock/internal/emulator/image/imagefile"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Catalogue finds images by name and holds the files that Decode needs.
type Catalogue = image.Catalogue

// Image is an image that a container names: how it is pulled, and what it runs, serves and answers.
type Image = image.Image

// Timeline is how a program runs if its command line alone decides that.
type Timeline = image.Timeline

// ImageModel is an image's entry in a Catalogue.
type ImageModel = image.Model

// NewCatalogue returns a catalogue of the images that Rowlock knows and those that its user adds.
// If two entries have the same repository, the later one wins.
func NewCatalogue(added ...ImageModel) *Catalogue {
	return image.New(append(image.Known(), added...)...)
}

// ReadImages reads images from a user's file. Its errors name the document and the field that is
// wrong.
func ReadImages(text []byte) ([]ImageModel, error) { return imagefile.Read(text, image.Known()) }

// ParseSignal parses a signal's name or number: "TERM", "SIGTERM", "term" or "15". ok is false for
// any other text.
func ParseSignal(name string) (sig kernel.Signal, ok bool) { return kernel.ParseSignal(name) }
