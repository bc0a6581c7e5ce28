package image

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/image/application"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// plain is a server whose behaviour is known beforehand: it listens from the start, always answers
// the same, and ends at once on a signal. Its Pods need no machine.
type plain struct {
	ports []application.Port
	stops bool // on the image's stop signal; otherwise it must be killed
	code  int  // its exit code when it stops

	acts []string // the paths whose requests have effects: a Pod whose probes request them needs a machine
}

// plainly returns the plain server that a command line starts in the image; nil for any other
// program.
func (m *Model) plainly(argv []string) *plain {
	name, argv := m.program(argv)
	switch name {
	case "nginx":
		if len(argv) != 3 || argv[1] != "-g" || argv[2] != "daemon off;" {
			return nil
		}
		return m.pages()
	case "apache":
		return m.pages()
	case "guestbook-frontend":
		p := m.pages()
		p.acts = application.FrontendActs
		return p
	case "pause":
		return &plain{stops: true}
	case "agnhost":
		return plainAgnhost(argv)
	}
	s, ok := application.Built(name, argv)
	if !ok || s.Needs != nil || s.End != nil {
		return nil
	}
	p := &plain{ports: s.Ports}
	for _, port := range s.Ports {
		if port.After != 0 || slices.ContainsFunc(port.HTTP, func(r application.Reply) bool { return r.From != 0 || r.Until != 0 }) {
			return nil
		}
	}
	if end, stops := s.Signals[m.stopSignal().String()]; stops {
		if end.After != 0 {
			return nil
		}
		p.stops, p.code = true, end.Code
	}
	return p
}

// pages returns a web server that serves the image's files.
func (m *Model) pages() *plain {
	p := &plain{stops: true}
	for _, number := range m.Ports {
		port := application.Port{Number: int(number)}
		for _, path := range m.Paths {
			port.HTTP = append(port.HTTP, application.Reply{Path: path})
		}
		p.ports = append(p.ports, port)
	}
	return p
}

func plainAgnhost(argv []string) *plain {
	switch {
	case len(argv) == 2 && argv[1] == "pause":
		return &plain{stops: true, code: 2}
	case len(argv) >= 2 && argv[1] == "netexec":
		port := 8080
		for _, arg := range argv[2:] {
			value, isPort := strings.CutPrefix(arg, "--http-port=")
			switch n, err := strconv.Atoi(value); {
			case isPort && err == nil:
				port = n
			case !strings.HasPrefix(arg, "--udp-port=") || arg == "--udp-port=-1":
				return nil
			}
		}
		return &plain{ports: []application.Port{{Number: port, HTTP: []application.Reply{
			{Path: "/redirect", Status: 302}, {Path: "*"},
		}}}, stops: true, acts: application.NetexecActs}
	}
	return nil
}

// program returns the name of the program that a command line runs in the image, and the program's
// own command line, without the script that starts it. The name is empty if the image's model does
// not have the program.
func (m *Model) program(argv []string) (string, []string) {
	for len(argv) > 0 {
		name := m.command(argv[0])
		if !strings.HasSuffix(name, "entrypoint") {
			return name, argv
		}
		if len(argv) > 1 && strings.HasPrefix(argv[1], "-") {
			argv = append([]string{strings.TrimSuffix(name, "-entrypoint")}, argv[1:]...)
			return argv[0], argv
		}
		argv = argv[1:]
	}
	return "", nil
}

// command returns the program of one of the image's own files.
func (m *Model) command(file string) string {
	if name, ok := m.Commands[file]; ok || strings.Contains(file, "/") {
		return name
	}
	for at, name := range m.Commands {
		if path.Base(at) == file {
			return name
		}
	}
	return ""
}

func (m *Model) stopSignal() kernel.Signal {
	if sig, ok := kernel.ParseSignal(m.StopSignal); ok && sig != 0 {
		return sig
	}
	return kernel.SIGTERM
}

// fits reports whether a reply is for a path.
func fits(r application.Reply, file string) bool {
	prefix, all := strings.CutSuffix(r.Path, "*")
	return r.Path == file || all && strings.HasPrefix(file, prefix)
}
