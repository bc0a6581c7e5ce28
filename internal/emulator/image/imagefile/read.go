package imagefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/distribution/reference"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/rowlock/rowlock/internal/emulator/image"
	"github.com/rowlock/rowlock/internal/emulator/image/application"
)

// The limits of a file.
const (
	maxBytes     = 8 << 20
	maxDocuments = 1000
	maxErrors    = 20 // in one message
)

// Read reads models from the text of a file; known are the built-in models. The error names every
// wrong field, with the number of its document.
func Read(text []byte, known []image.Model) ([]image.Model, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("has %d bytes, more than %d", len(text), maxBytes)
	}
	var models []image.Model
	var wrong []error
	seen := map[string]int{}
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for n := 1; ; n++ {
		part, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		if n > maxDocuments {
			return nil, fmt.Errorf("has more than %d documents", maxDocuments)
		}
		if len(bytes.TrimSpace(withoutComments(part))) == 0 {
			continue
		}
		var d Document
		if err := yaml.UnmarshalStrict(part, &d); err != nil {
			wrong = append(wrong, fmt.Errorf("document %d: %w", n, err))
			continue
		}
		c := checker{document: n}
		model := c.model(&d, known)
		if first, again := seen[model.Repository]; again && len(c.wrong) == 0 {
			c.refuse("repository", "%s is already described by document %d", model.Repository, first)
		}
		seen[model.Repository] = n
		wrong = append(wrong, c.wrong...)
		models = append(models, model)
	}
	if len(wrong) > maxErrors {
		wrong = append(wrong[:maxErrors], fmt.Errorf("and %d more", len(wrong)-maxErrors))
	}
	return models, errors.Join(wrong...)
}

// withoutComments returns a document without its comment lines.
func withoutComments(text []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(text) {
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] != '#' && !bytes.Equal(trimmed, []byte("---")) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// The paths of a described program, and of the service that runs it.
const (
	programPath = "/program"
	servicePath = "/usr/lib/rowlock/service"
)

// model converts a document into a model.
func (c *checker) model(d *Document, known []image.Model) image.Model {
	m := image.Model{Distribution: image.BusyBox}
	if d.Like != "" {
		m = c.like(d.Like, known)
	}
	m.Repository = c.repository(d.Repository)
	if d.About != "" {
		m.About = d.About
	}
	switch d.Pull {
	case "", "absent", "denied", "unreachable":
		m.Absent, m.Denied, m.Unreachable = d.Pull == "absent", d.Pull == "denied", d.Pull == "unreachable"
	default:
		c.refuse("pull", "must be absent, denied, unreachable or empty")
	}
	c.tags(d.MissingTags)
	m.MissingTags = append(m.MissingTags[:len(m.MissingTags):len(m.MissingTags)], d.MissingTags...)
	c.base(d.Base, &m)
	c.surroundings(d, &m)
	c.files(d, &m)
	if d.Program != nil {
		c.program(d.Program, &m)
	}
	if m.Entrypoint == nil && m.Cmd == nil && d.Like == "" && d.Program == nil {
		// The program is not known: it runs until it is stopped.
		m.Ports = nil
	}
	if err := m.Check(); err != nil && len(c.wrong) == 0 {
		c.refuse("files", "%v", err)
	}
	return m
}

// like returns the built-in model of a repository, for another model to start from.
func (c *checker) like(name string, known []image.Model) image.Model {
	named, err := reference.ParseNormalizedNamed(name)
	if err != nil || !reference.IsNameOnly(named) {
		c.refuse("like", "%q is not a repository name", name)
		return image.Model{}
	}
	for i := range known {
		if known[i].Repository == named.Name() {
			return known[i]
		}
	}
	c.refuse("like", "%s is not a built-in image", named.Name())
	return image.Model{}
}

func (c *checker) repository(name string) string {
	bare, below := strings.CutSuffix(name, "/*")
	if bare == "" {
		c.refuse("repository", "is required")
		return ""
	}
	named, err := reference.ParseNormalizedNamed(bare)
	if err != nil {
		c.refuse("repository", "%q: %v", name, err)
		return ""
	}
	if !reference.IsNameOnly(named) {
		c.refuse("repository", "%q must have neither a tag nor a digest", name)
		return ""
	}
	if !below {
		return named.Name()
	}
	if !strings.Contains(bare, "/") { // the name has a registry or a user, so it is not an image of Docker's library
		return bare + "/*"
	}
	return named.Name() + "/*"
}

// program puts the described program into the image.
func (c *checker) program(p *Program, m *image.Model) {
	s := c.service(p)
	text, err := application.Describe(servicePath, s)
	if err != nil {
		c.refuse("program", "%v", err)
	}
	m.Files = with(m.Files, programPath, text)
	m.Commands = with(m.Commands, servicePath, application.DescribedProgram)
	if m.Entrypoint == nil && m.Cmd == nil {
		m.Entrypoint = []string{programPath}
	}
	m.Ports, m.Paths = []int32{}, nil
	for _, port := range s.Ports {
		m.Ports = append(m.Ports, int32(port.Number)) //nolint:gosec // checked
	}
}
