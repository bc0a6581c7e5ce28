package program

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func init() {
	kernel.Register("wget", &Wget{})
	kernel.Provide("wget", func([]string) kernel.Program { return &Wget{} })
}

// Wget is busybox' wget.
type Wget struct {
	Begun  bool
	Quiet  bool        `json:",omitempty"`
	Show   bool        `json:",omitempty"` // print the headers
	Spider bool        `json:",omitempty"`
	To     kernel.Text `json:",omitempty"`
	Dir    kernel.Text `json:",omitempty"`
	Fetch  Fetch
}

// Step implements kernel.Program.
func (g *Wget) Step(p *kernel.Process) kernel.Wait {
	if !g.Begun {
		if w, ok := g.begin(p); !ok {
			return w
		}
	}
	f := &g.Fetch
	w, ok := f.next(p, func() {
		if !g.Quiet {
			_, _ = p.Write(2, fmt.Appendf(nil, "Connecting to %s (%s:%d)\n", f.Host, f.Name.first(), f.Port))
		}
	})
	if !ok {
		return w
	}
	switch f.Failed {
	case "":
	case fetchNoName:
		return fail(p, "bad address '"+f.Host+"'")
	case fetchRefused:
		return fail(p, "can't connect to remote host ("+f.Name.first()+"): Connection refused")
	case fetchUnreachable:
		return fail(p, "can't connect to remote host ("+f.Name.first()+"): No route to host")
	case fetchReset:
		return fail(p, "error getting response: Connection reset by peer")
	case fetchPlain:
		return fail(p, "got bad TLS record (len:0) while expecting handshake record")
	case fetchTimeout:
		return fail(p, "download timed out")
	case fetchLoops:
		return fail(p, "too many redirections")
	case fetchBadScheme:
		return fail(p, "not an http or ftp url: "+string(f.URL))
	default:
		return fail(p, "bad address '"+string(f.URL)+"'")
	}
	return g.finish(p, f.Answer)
}

func (g *Wget) begin(p *kernel.Process) (kernel.Wait, bool) {
	g.Begun = true
	g.Fetch.Method, g.Fetch.Follow, g.Fetch.Timeout = "GET", 5, 900*time.Second
	g.Fetch.Header = kernel.Texts{"User-Agent: Wget"}
	var urls []string
	args := p.Args[1:]
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			urls = append(urls, arg)
			continue
		}
		if strings.HasPrefix(arg, "--") {
			option, value, given := strings.Cut(arg, "=")
			need := func() string {
				if !given && len(args) > 0 {
					value, args = args[0], args[1:]
				}
				return value
			}
			switch option {
			case "--spider":
				g.Spider = true
			case "--quiet":
				g.Quiet = true
			case "--header":
				g.Fetch.Header = append(g.Fetch.Header, need())
			case "--post-data":
				g.Fetch.Method, g.Fetch.Body = "POST", kernel.Text(need())
			case "--output-document":
				g.To = kernel.Text(need())
			case "--timeout":
				if !g.timeout(need()) {
					return fail(p, "invalid number '"+value+"'"), false
				}
			case "--tries":
				need()
			case "--no-check-certificate", "--server-response", "--no-verbose":
				g.Show = g.Show || option == "--server-response"
			default:
				return fail(p, "rowlock: option "+arg+" is not emulated"), false
			}
			continue
		}
		for i := 1; i < len(arg); i++ {
			value := arg[i+1:]
			switch arg[i] {
			case 'q':
				g.Quiet = true
				continue
			case 'S':
				g.Show = true
				continue
			case 'c':
				continue
			case 'n': // GNU's -nv
				i++
				continue
			}
			if value == "" && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			switch arg[i] {
			case 'O':
				g.To = kernel.Text(value)
			case 'P':
				g.Dir = kernel.Text(value)
			case 'T':
				if !g.timeout(value) {
					return fail(p, "invalid number '"+value+"'"), false
				}
			case 't', 'o', 'U':
			default:
				return fail(p, "rowlock: option -"+arg[i:i+1]+" is not emulated"), false
			}
			break
		}
	}
	if len(urls) != 1 {
		return fail(p, "rowlock: wget takes one URL here"), false
	}
	g.Fetch.URL = kernel.Text(urls[0])
	if g.Spider {
		g.Fetch.Method = "HEAD"
	}
	return kernel.Wait{}, true
}

func (g *Wget) timeout(value string) bool {
	n, err := strconv.Atoi(value)
	g.Fetch.Timeout = time.Duration(n) * time.Second
	return err == nil && n > 0
}

func (g *Wget) finish(p *kernel.Process, a *kernel.Answer) kernel.Wait {
	line := fmt.Sprintf("HTTP/1.1 %d %s", a.Status, statusText(a.Status))
	say := func(text string) {
		if !g.Quiet {
			_, _ = p.Write(2, []byte(text+"\n"))
		}
	}
	if g.Show {
		_, _ = p.Write(2, []byte("  "+line+"\n"))
		for _, h := range a.Header {
			_, _ = p.Write(2, []byte("  "+h+"\n"))
		}
	}
	if a.Status < 200 || a.Status > 299 {
		return fail(p, "server returned error: "+line)
	}
	if g.Spider {
		say("remote file exists")
		return kernel.Done(0)
	}
	bar := func(name string) {
		say(fmt.Sprintf("%-20.20s 100%% |********************************| %5d  0:00:00 ETA", name, len(a.Body)))
	}
	if g.To == "-" {
		say("writing to stdout")
		bar("-")
		say("written to stdout")
		return finish(p, string(a.Body), 0)
	}
	to := string(g.To)
	if to == "" {
		u, _ := g.Fetch.parse()
		if to = path.Base(u.Path); u.Path == "" || strings.HasSuffix(u.Path, "/") {
			to = "index.html"
		}
		if g.Dir != "" {
			to = path.Join(string(g.Dir), to)
		}
		if _, err := p.FS().Stat(p.Path(to)); err == nil {
			return fail(p, "can't open '"+to+"': File exists")
		}
	}
	say("saving to '" + to + "'")
	fd, err := p.OpenPath(to, vfs.Write|vfs.Create|vfs.Truncate, 0o666, 3)
	if err == nil {
		_, err = p.Write(fd, []byte(a.Body))
	}
	if err != nil {
		return fail(p, "can't open '"+to+"': "+vfs.Reason(err))
	}
	bar(path.Base(to))
	say("'" + to + "' saved")
	return kernel.Done(0)
}
