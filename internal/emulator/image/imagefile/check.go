package imagefile

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/emulator/image"
	"github.com/rowlock/rowlock/internal/emulator/image/application"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// checker collects the errors in a document.
type checker struct {
	document int
	wrong    []error
}

func (c *checker) refuse(field, format string, values ...any) {
	c.wrong = append(c.wrong, fmt.Errorf("document %d: %s: %s", c.document, field, fmt.Sprintf(format, values...)))
}

// The limits of an image.
const (
	maxFiles   = 1000
	maxContent = 1 << 20 // bytes of all files
	maxEntries = 1000    // of any list
	longest    = 10 * 365 * 24 * time.Hour
)

func (c *checker) tags(patterns []string) {
	for i, pattern := range patterns {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			c.refuse(at("missingTags", i), "%q is not a pattern", pattern)
		}
	}
}

func (c *checker) base(name string, m *image.Model) {
	switch {
	case name == "":
	case name == "scratch":
		m.Distribution = image.Scratch
	case slices.Contains(image.Distributions(), image.Distribution(name)):
		m.Distribution = image.Distribution(name)
	default:
		var all []string
		for _, d := range image.Distributions() {
			all = append(all, string(d))
		}
		c.refuse("base", "%q must be scratch or one of %s", name, strings.Join(all, ", "))
	}
}

// surroundings checks and sets what the program starts with: environment, user, directory and the
// like.
func (c *checker) surroundings(d *Document, m *image.Model) {
	if len(d.Env) > 0 {
		m.Env = slices.Clone(m.Env)
		if m.Env == nil && d.Env["PATH"] == "" {
			m.Env = []string{image.DefaultPath}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(d.Env[name], "\x00") {
			c.refuse("env", "%q is not a variable name", name)
		}
		m.Env = append(slices.DeleteFunc(m.Env, func(e string) bool { return strings.HasPrefix(e, name+"=") }), name+"="+d.Env[name])
	}
	if d.Version != "" {
		m.Version = d.Version
	}
	if d.WorkingDir != "" {
		c.path("workingDir", d.WorkingDir)
		m.WorkingDir = d.WorkingDir
	}
	if d.User != "" {
		m.User = d.User
	}
	if d.Entrypoint != nil {
		m.Entrypoint, m.Cmd = d.Entrypoint, nil
	}
	if d.Cmd != nil {
		m.Cmd = d.Cmd
	}
	if d.StopSignal != "" {
		if sig, ok := kernel.ParseSignal(d.StopSignal); !ok || sig == 0 {
			c.refuse("stopSignal", "%q is not a signal", d.StopSignal)
		}
		m.StopSignal = d.StopSignal
	}
}

func (c *checker) files(d *Document, m *image.Model) {
	if len(d.Files)+len(d.Links)+len(d.Commands)+len(d.Directories) > maxFiles {
		c.refuse("files", "are more than %d", maxFiles)
		return
	}
	size := 0
	for _, file := range slices.Sorted(maps.Keys(d.Files)) {
		c.path("files", file)
		size += len(d.Files[file])
		m.Files = with(m.Files, file, d.Files[file])
	}
	if size > maxContent {
		c.refuse("files", "have %d bytes, more than %d", size, maxContent)
	}
	for _, file := range slices.Sorted(maps.Keys(d.Links)) {
		c.path("links", file)
		m.Links = with(m.Links, file, d.Links[file])
	}
	for i, dir := range d.Directories {
		c.path(at("directories", i), dir)
		m.Dirs = append(m.Dirs[:len(m.Dirs):len(m.Dirs)], dir)
	}
	for _, file := range slices.Sorted(maps.Keys(d.Commands)) {
		c.path("commands", file)
		name := d.Commands[file]
		if kernel.Provided(name) == nil {
			c.refuse("commands", "%s: there is no program %q", file, name)
		}
		m.Commands = with(m.Commands, file, name)
	}
}

// path checks for a clean absolute path.
func (c *checker) path(field, file string) {
	if !path.IsAbs(file) || path.Clean(file) != file || file == "/" && field != "workingDir" || strings.Contains(file, "\x00") {
		c.refuse(field, "%q is not an absolute path", file)
	}
}

// service converts the description of a program into the service that runs.
func (c *checker) service(p *Program) application.Service {
	var s application.Service
	if len(p.Needs) > maxEntries || len(p.Output) > maxEntries || len(p.Ports) > maxEntries {
		c.refuse("program", "has a list of more than %d entries", maxEntries)
		return s
	}
	for i, need := range p.Needs {
		field := at("program.needs", i)
		if len(need.OneOf) == 0 || slices.Contains(need.OneOf, "") {
			c.refuse(field+".oneOf", "must name variables")
		}
		code, text := 1, need.Error
		if need.Code != nil {
			code = *need.Code
			c.code(field+".code", code)
		}
		if text == "" {
			text = strings.Join(need.OneOf, " or ") + " is not set"
		}
		s.Needs = append(s.Needs, application.Need{OneOf: need.OneOf, Error: strings.TrimSuffix(text, "\n") + "\n", Code: code})
	}
	for i, line := range p.Output {
		s.Output = append(s.Output, application.Line{After: c.duration(at("program.output", i)+".after", line.After), Text: line.Text, Stderr: line.Stderr})
	}
	slices.SortStableFunc(s.Output, func(a, b application.Line) int { return int(min(max(a.After-b.After, -1), 1)) })
	for i := range p.Ports {
		s.Ports = append(s.Ports, c.port(at("program.ports", i), &p.Ports[i], p.Ports[:i]))
	}
	if p.Exit != nil {
		end := c.end("program.exit", *p.Exit)
		s.End = &end
	}
	s.Signals = map[string]application.End{"TERM": {}, "INT": {}}
	if p.Signals != nil {
		s.Signals = map[string]application.End{}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Signals)) {
		sig, ok := kernel.ParseSignal(name)
		if !ok || sig == 0 || sig == kernel.SIGKILL || sig == kernel.SIGSTOP {
			c.refuse("program.signals", "%q is not a signal that a program can handle", name)
			continue
		}
		s.Signals[sig.String()] = c.end("program.signals."+name, p.Signals[name])
	}
	return s
}

func (c *checker) port(field string, p *Port, before []Port) application.Port {
	if p.Number < 1 || p.Number > 65535 {
		c.refuse(field+".number", "%d must be from 1 to 65535", p.Number)
	}
	if slices.ContainsFunc(before, func(o Port) bool { return o.Number == p.Number }) {
		c.refuse(field+".number", "%d is listed twice", p.Number)
	}
	port := application.Port{Number: p.Number, TLS: p.TLS, After: c.duration(field+".after", p.After), Log: p.Log}
	if p.TLS && len(p.HTTP) == 0 {
		c.refuse(field+".tls", "is for a port that answers HTTP")
	}
	if len(p.HTTP) > maxEntries {
		c.refuse(field+".http", "has more than %d answers", maxEntries)
		return port
	}
	for i, r := range p.HTTP {
		field := at(field+".http", i)
		if !strings.HasPrefix(r.Path, "/") && r.Path != "*" {
			c.refuse(field+".path", "%q must begin with a slash, or be *", r.Path)
		}
		if r.Status != 0 && (r.Status < 100 || r.Status > 599) {
			c.refuse(field+".status", "%d must be from 100 to 599", r.Status)
		}
		if strings.ContainsAny(r.Type, "\r\n") {
			c.refuse(field+".type", "must be one line")
		}
		reply := application.Reply{Path: r.Path, From: c.duration(field+".from", r.From), Status: r.Status, Type: r.Type, Body: r.Body}
		if r.Until != nil {
			reply.Until = c.duration(field+".until", *r.Until)
			if reply.Until <= reply.From {
				c.refuse(field+".until", "%s is not after %s, when the reply begins to apply", r.Until.Duration, r.From.Duration)
			}
		}
		port.HTTP = append(port.HTTP, reply)
	}
	return port
}

func (c *checker) end(field string, e End) application.End {
	c.code(field+".code", e.Code)
	return application.End{After: c.duration(field+".after", e.After), Code: e.Code, Text: e.Text}
}

func (c *checker) code(field string, code int) {
	if code < 0 || code > 255 {
		c.refuse(field, "%d must be from 0 to 255", code)
	}
}

func (c *checker) duration(field string, d metav1.Duration) time.Duration {
	if d.Duration < 0 || d.Duration > longest {
		c.refuse(field, "%s must be from 0s to %s", d.Duration, longest)
		return 0
	}
	return d.Duration
}

func at(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

// with returns a copy of a map with one more entry.
func with(all map[string]string, key, value string) map[string]string {
	next := map[string]string{key: value}
	for k, v := range all {
		if k != key {
			next[k] = v
		}
	}
	return next
}
