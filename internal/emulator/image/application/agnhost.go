package application

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Agnhost is the program of Kubernetes' test image. Its subcommand says what it becomes.
//
// Source: kubernetes v1.36 test/images/agnhost.
type Agnhost struct{}

// Step implements kernel.Program.
func (*Agnhost) Step(p *kernel.Process) kernel.Wait {
	p.Run.Program = agnhost(p.Args, p.Env)
	return p.Run.Step(p)
}

// goLog is how Go's log package begins a line.
const goLog = "{time:2006/01/02 15:04:05} "

func agnhost(args, env []string) kernel.Program {
	if len(args) < 2 {
		return &Said{Out: "Usage:\n  app [command]\n"}
	}
	if s, ok := agnhostService(args, env); ok {
		return &Running{Own: &s, Args: args}
	}
	switch args[1] {
	case "pause":
		return &Paused{}
	case "netexec":
		return &Netexec{}
	case "guestbook":
		return &Guestbook{}
	case "nettest":
		return &Nettest{}
	case "test-webserver":
		return &Web{
			Kind: webGo,
			Sites: []Site{{
				Port:      number(args, "port", 80),
				Locations: []Location{{Path: "/", Root: "/", Index: []string{"index.html"}, List: true}},
			}},
		}
	case "entrypoint-tester":
		return &Said{Out: kernel.Text(fmt.Sprintln(args))}
	case "mounttest":
		return &Mounttest{}
	case "grpc-health-checking":
		return &Health{}
	case "connect":
		return kernel.Provided("agnhost-connect")(args)
	case "etc-hosts", "dns-suffix", "dns-server-list":
		return &Resolver{}
	case "test-service-account-issuer-discovery":
		return &Issuer{}
	case "--help", "help", "-h":
		return &Said{Out: "Usage:\n  app [command]\n"}
	}
	return notEmulated(base(args), args[1])
}

// agnhostService returns the subcommands that a Service can describe.
func agnhostService(args, env []string) (Service, bool) {
	switch args[1] {
	case "serve-hostname":
		return serveHostname(args)
	case "liveness":
		return liveness(8080), true
	case "logs-generator":
		return logsGenerator(args)
	case "porter":
		s, asJSON := Service{Signals: stopsAsGo}, slices.Contains(args, "--json-response")
		for _, e := range env {
			name, value, _ := strings.Cut(e, "=")
			if port, ok := ported(name, value, asJSON); ok {
				s.Ports = append(s.Ports, port)
			}
		}
		return s, true
	}
	return Service{}, false
}

// ported returns the port on which porter listens because of an environment variable; ok is false
// for any other variable.
//
// Source: kubernetes v1.36 test/images/agnhost/porter/porter.go
// Differs: it serves no SCTP, and uses the same certificate whatever CERT_FILE and KEY_FILE say.
func ported(name, value string, asJSON bool) (port Port, ok bool) {
	i := strings.LastIndexByte(name, '_') + 1
	number, err := strconv.Atoi(name[i:])
	if err != nil {
		return Port{}, false
	}
	reply := Reply{Path: "*", Type: sniffed(value), Body: value}
	if asJSON {
		text, _ := json.Marshal(value) // a string is always valid
		reply.Type, reply.Body = "application/json", `{"Method":"{method}","Body":`+string(text)+"}"
	}
	switch name[:i] {
	case "SERVE_PORT_", "SERVE_TCP_PORT_":
		return Port{Number: number, HTTP: []Reply{reply}}, true
	case "SERVE_TLS_PORT_":
		return Port{Number: number, TLS: true, HTTP: []Reply{reply}}, true
	case "SERVE_UDP_PORT_":
		return Port{Number: number, UDP: true, Says: value}, true
	}
	return Port{}, false
}

// serveHostname serves the host's name: over HTTP, unless --tcp or --udp says otherwise.
//
// Source: kubernetes v1.36 test/images/agnhost/serve-hostname/serve_hostname.go
func serveHostname(args []string) (Service, bool) {
	port, http, tcp, udp := number(args, "port", 9376), isOn(args, "http", true), isOn(args, "tcp", false), isOn(args, "udp", false)
	if http && (tcp || udp) {
		const both = "Can't server TCP/UDP mode and HTTP mode at the same time"
		return Service{Output: []Line{{Text: goLog + both, Stderr: true}}, End: &End{Code: 1}}, true
	}
	end := End{After: time.Minute, Text: goLog + "Shutting down after receiving signal: terminated.\n" + goLog + "Awaiting pod deletion.\n"}
	s := Service{
		Output:  []Line{{Text: goLog + "Serving on port " + strconv.Itoa(port) + ".", Stderr: true}},
		Signals: map[string]End{"TERM": end, "INT": {Code: goTermCode}},
	}
	if http {
		s.Ports = append(s.Ports, Port{Number: port, Log: goLog + "HTTP request from {client}", HTTP: []Reply{{Path: "*", Body: "{hostname}"}}})
	}
	if tcp {
		s.Ports = append(s.Ports, Port{Number: port, Log: goLog + "TCP request from {client}", Says: "{hostname}"})
	}
	if udp {
		s.Ports = append(s.Ports, Port{Number: port, UDP: true, Log: goLog + "UDP request from {client}", Says: "{hostname}"})
	}
	return s, true
}

// maxGenerated bounds the lines of agnhost's logs-generator.
const maxGenerated = 10_000

// logsGenerator writes lines at equal intervals. A counter chooses its requests, which the real
// program draws at random.
func logsGenerator(args []string) (Service, bool) {
	total := number(args, "log-lines-total", number(args, "t", 0))
	duration, err := time.ParseDuration(flag(args, "run-duration", flag(args, "d", "0s")))
	if total <= 0 || total > maxGenerated || err != nil || duration <= 0 {
		return Service{}, false
	}
	methods, namespaces := words("GET POST PUT"), words("kube-system default ns")
	s := Service{End: &End{After: duration}, Signals: stopsAsGo}
	for i := range total {
		after := duration / time.Duration(total) * time.Duration(i)
		text := fmt.Sprintf("I{time:0102 15:04:05.000000}       1 logs_generator.go:76] %d %s /api/v1/namespaces/%s/pods/%03d %d",
			i, methods[i%3], namespaces[i/3%3], i*7%1000, 200+i*37%400)
		s.Output = append(s.Output, Line{After: after, Stderr: true, Text: text})
	}
	return s, true
}

// Paused waits until it is stopped. It is agnhost's pause, which then prints the reason and ends
// with 2, and the pause image, which ends with 0.
type Paused struct {
	Quiet bool `json:",omitempty"` // the pause image
	Begun bool `json:",omitempty"`
}

// Step implements kernel.Program.
func (a *Paused) Step(p *kernel.Process) kernel.Wait {
	if !a.Begun {
		a.Begun = true
		p.Handle(kernel.SIGTERM)
		p.Handle(kernel.SIGINT)
		if !a.Quiet {
			say(p, 1, "Paused\nSignals registered\n")
		}
	}
	sig, ok := p.TakeSignal()
	switch {
	case !ok:
		return kernel.Wait{For: kernel.Signals, Interruptible: true}
	case a.Quiet:
		say(p, 2, "Shutting down, got signal: "+sig.Describe()+"\n")
		return kernel.Done(0)
	}
	message, code := "exiting because of signal \"terminated\"\n", 2
	if sig == kernel.SIGINT {
		message, code = "exiting because of signal \"interrupt\"\n", 1
	}
	file := p.Getenv("TERMINATION_MESSAGE_PATH")
	if file == "" {
		file = "/dev/termination-log"
	}
	_ = p.FS().WriteFile(p.Path(file), []byte(message), 0o644) // without the file it ends in the same way
	say(p, 1, message)
	return kernel.Done(code)
}

// Mounttest is agnhost's inspection of files.
type Mounttest struct {
	Loop kernel.Text `json:",omitempty"` // the file that is read repeatedly
	Last time.Duration

	Failed bool `json:",omitempty"` // before Loop is read
	Unread bool `json:",omitempty"` // the last read of Loop failed
}

// Step implements kernel.Program.
func (m *Mounttest) Step(p *kernel.Process) kernel.Wait {
	if m.Loop != "" {
		return m.again(p)
	}
	fs, failed := p.FS(), false
	result := func(err error, what, file, format string, values ...any) {
		if err != nil {
			failed = true
			say(p, 1, fmt.Sprintf("error %s %q: %v\n", what, file, err))
			return
		}
		say(p, 1, fmt.Sprintf(format, values...))
	}
	if file := flag(p.Args, "fs_type", ""); file != "" {
		_, err := fs.Stat(p.Path(file))
		result(err, "from statfs on", file, "mount type of %q: %s\n", file, "tmpfs")
	}
	for _, perm := range []uint32{0o644, 0o666, 0o660, 0o777} {
		if file := flag(p.Args, fmt.Sprintf("new_file_%04o", perm), ""); file != "" {
			err := fs.As(vfs.Cred{UID: p.UID(), GID: p.GID()}, p.Now()).WriteFile(p.Path(file), []byte(mountContent), perm)
			result(err, "writing new file", file, "content of file %q: %s\n", file, mountContent)
		}
	}
	if file := flag(p.Args, "file_mode", ""); file != "" {
		info, err := fs.Stat(p.Path(file))
		result(err, "getting file stats for", file, "mode of file %q: %s\n", file, modeString(info.Mode))
	}
	if file := flag(p.Args, "file_perm", ""); file != "" {
		info, err := fs.Stat(p.Path(file))
		result(err, "getting file stats for", file, "perms of file %q: %s\n", file, "-"+modeString(info.Mode&^vfs.ModeType | vfs.ModeRegular)[1:])
	}
	if file := flag(p.Args, "file_owner", ""); file != "" {
		info, err := fs.Stat(p.Path(file))
		result(err, "getting file stats for", file, "owner UID of %q: %d\nowner GID of %q: %d\n", file, info.UID, file, info.GID)
	}
	if file := flag(p.Args, "file_content", ""); file != "" {
		content, err := fs.ReadFile(p.Path(file))
		result(err, "reading file content for", file, "content of file %q: %s\n", file, content)
	}
	if file := flag(p.Args, "file_content_in_loop", ""); file != "" {
		m.Failed, m.Loop, m.Last = failed, kernel.Text(file), p.In(time.Duration(number(p.Args, "retry_time", 180))*time.Second)
		return m.again(p)
	}
	return exit(failed)
}

// exit ends a program with success or failure.
func exit(failed bool) kernel.Wait {
	if failed {
		return kernel.Done(1)
	}
	return kernel.Done(0)
}

const mountContent = "mount-tester new file\n"

// again reads the file every two seconds until it holds the expected content or the time is over.
// It fails if the last read failed.
//
// Source: kubernetes v1.36 test/images/agnhost/mounttest/mt.go, testFileContent
func (m *Mounttest) again(p *kernel.Process) kernel.Wait {
	if p.Since() >= m.Last {
		return exit(m.Failed || m.Unread)
	}
	breaks := flag(p.Args, "break_on_expected_content", "true") != "false"
	content, err := p.FS().ReadFile(p.Path(string(m.Loop)))
	m.Unread = err != nil
	switch {
	case err != nil:
		say(p, 1, fmt.Sprintf("Error reading file %s: %v, retrying\n", m.Loop, err))
	case breaks && string(content) == mountContent:
		say(p, 1, fmt.Sprintf("content of file %q: %s\n", string(m.Loop), content))
		return exit(m.Failed)
	default:
		say(p, 1, fmt.Sprintf("content of file %q: %s\n", string(m.Loop), content))
		if breaks {
			say(p, 1, fmt.Sprintf("Unexpected content. Expected: %s. Retrying\n", mountContent))
		}
	}
	return kernel.Wait{For: kernel.Time, Until: p.In(2 * time.Second)}
}

// modeString formats a mode as Go's os.FileMode does, "-rw-r--r--".
func modeString(mode uint32) string {
	b := []byte("-rwxrwxrwx")
	for i := range 9 {
		if mode>>(8-i)&1 == 0 {
			b[i+1] = '-'
		}
	}
	first := "-"
	switch mode & vfs.ModeType {
	case vfs.ModeDir:
		first = "d"
	case vfs.ModeLink:
		first = "L"
	}
	if mode&vfs.ModeSticky != 0 {
		first += "t"
	}
	if strings.HasPrefix(first, "-t") {
		first = "t"
	}
	return first + string(b[1:])
}

func init() {
	kernel.Register("agnhost", &Agnhost{})
	kernel.Register("paused", &Paused{})
	kernel.Register("mounttest", &Mounttest{})
	kernel.Provide("agnhost", func([]string) kernel.Program { return &Agnhost{} })
	kernel.Provide("pause", func([]string) kernel.Program { return &Paused{Quiet: true} })
}
