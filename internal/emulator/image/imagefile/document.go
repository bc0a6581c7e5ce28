// Package imagefile reads the images that users describe in a file: YAML documents, one for each
// repository.
//
// Documents are checked when they are read, so that a server with a wrong file does not start; Read
// names the document and the field. docs/IMAGES.md describes the fields.
package imagefile

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Document describes one image.
type Document struct {
	// Repository is the name without a tag, "registry.example.com/team/app" or "nginx"; a name that
	// ends in "/*" stands for everything below it. Like names a built-in repository, whose values
	// apply where the document sets none.
	Repository string `json:"repository"`
	Like       string `json:"like,omitempty"`
	About      string `json:"about,omitempty"`

	// Pull is the result of pulling: "" succeeds; "absent", "denied" and "unreachable" fail.
	// MissingTags are patterns of tags that do not exist.
	Pull        string   `json:"pull,omitempty"`
	MissingTags []string `json:"missingTags,omitempty"`

	Base        string            `json:"base,omitempty"` // a distribution; without it and without Like, "busybox"
	Env         map[string]string `json:"env,omitempty"`
	Version     string            `json:"version,omitempty"`
	WorkingDir  string            `json:"workingDir,omitempty"`
	User        string            `json:"user,omitempty"`
	Entrypoint  []string          `json:"entrypoint,omitempty"`
	Cmd         []string          `json:"cmd,omitempty"`
	StopSignal  string            `json:"stopSignal,omitempty"`
	Files       map[string]string `json:"files,omitempty"`
	Links       map[string]string `json:"links,omitempty"`
	Directories []string          `json:"directories,omitempty"`
	Commands    map[string]string `json:"commands,omitempty"`

	// Program is what the image's own program does. It is the default entrypoint.
	Program *Program `json:"program,omitempty"`
}

// Program is what an image's own program does. Times count from its start.
type Program struct {
	Needs   []Need         `json:"needs,omitempty"`
	Output  []Line         `json:"output,omitempty"`
	Ports   []Port         `json:"ports,omitempty"`
	Exit    *End           `json:"exit,omitempty"`
	Signals map[string]End `json:"signals,omitempty"` // by name; without any, TERM and INT end it at once with code 0
}

// Need is an environment variable without which the program ends at once.
type Need struct {
	OneOf []string `json:"oneOf"`
	Error string   `json:"error,omitempty"`
	Code  *int     `json:"code,omitempty"` // 1
}

// Line is a line of the program's output.
type Line struct {
	After  metav1.Duration `json:"after,omitempty"`
	Text   string          `json:"text"`
	Stderr bool            `json:"stderr,omitempty"`
}

// Port is a TCP port that the program listens on.
type Port struct {
	Number int             `json:"number"`
	After  metav1.Duration `json:"after,omitempty"`
	TLS    bool            `json:"tls,omitempty"` // it speaks HTTPS
	Log    string          `json:"log,omitempty"`
	HTTP   []Reply         `json:"http,omitempty"` // the first that matches; without any, the port only takes connections
}

// Reply is an answer to HTTP requests.
type Reply struct {
	Path   string           `json:"path"`
	From   metav1.Duration  `json:"from,omitempty"`
	Until  *metav1.Duration `json:"until,omitempty"`
	Status int              `json:"status,omitempty"` // 200
	Type   string           `json:"type,omitempty"`
	Body   string           `json:"body,omitempty"`
}

// End is how the program ends.
type End struct {
	After metav1.Duration `json:"after,omitempty"`
	Code  int             `json:"code,omitempty"`
	Text  string          `json:"text,omitempty"`
}
