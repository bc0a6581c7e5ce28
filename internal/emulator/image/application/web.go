package application

import (
	"fmt"
	"html"
	"path"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Web is a file server: nginx, Apache, Python's http.server or agnhost's test-webserver. Each
// request reads the current files.
type Web struct {
	Kind webKind

	// Sites are what it serves, read when it starts.
	Sites []Site `json:",omitempty"`

	Begun  bool    `json:",omitempty"`
	Ending *Ending `json:",omitempty"`
}

type webKind string

// The servers.
const (
	webNginx  webKind = "nginx"
	webApache webKind = "httpd"
	webPython webKind = "python"
	webGo     webKind = "go" // net/http's file server

	// webBusyBox is the httpd of BusyBox.
	webBusyBox webKind = "busybox"
)

// Step implements kernel.Program.
func (w *Web) Step(p *kernel.Process) kernel.Wait {
	if !w.Begun {
		w.Begun = true
		if failed := w.start(p); failed != nil {
			return *failed
		}
		for _, sig := range w.handled() {
			p.Handle(sig)
		}
	}
	for sig, ok := p.TakeSignal(); ok; sig, ok = p.TakeSignal() {
		w.signal(p, sig)
	}
	if w.Ending != nil {
		return kernel.Done(w.Ending.Code)
	}
	return kernel.Wait{For: kernel.Signals, Interruptible: true}
}

func (w *Web) handled() []kernel.Signal {
	switch w.Kind {
	case webNginx:
		return []kernel.Signal{kernel.SIGHUP, kernel.SIGINT, kernel.SIGQUIT, kernel.SIGTERM, kernel.SIGUSR1}
	case webApache:
		return []kernel.Signal{kernel.SIGHUP, kernel.SIGINT, kernel.SIGTERM, kernel.SIGUSR1, kernel.SIGWINCH}
	case webPython:
		return []kernel.Signal{kernel.SIGINT} // the first process of a container ignores TERM
	case webBusyBox:
		return nil // it ignores all signals
	}
	return []kernel.Signal{kernel.SIGINT, kernel.SIGTERM}
}

// start reads the configuration and logs the start. If the server cannot start, it returns the Wait
// that ends it.
func (w *Web) start(p *kernel.Process) *kernel.Wait {
	switch w.Kind {
	case webNginx:
		sites, err := nginxSites(p.FS(), nginxConf(p))
		if err != nil {
			say(p, 2, "nginx: [emerg] "+err.Error()+"\n")
			return &kernel.Wait{For: kernel.Ended, Code: 1}
		}
		w.Sites = sites
		w.notice(p, "using the \"epoll\" event method")
		w.notice(p, "nginx/"+p.Getenv("NGINX_VERSION"))
		w.notice(p, "start worker processes")
	case webApache:
		home := p.Getenv("HTTPD_PREFIX")
		if home == "" {
			home = "/usr/local/apache2"
		}
		w.Sites = []Site{{
			Port: apachePort(p.FS(), home),
			Locations: []Location{{
				Path: "/", Root: home + "/htdocs", Index: []string{"index.html", "index.php"}, List: true,
			}},
		}}
		say(p, 2, "AH00558: httpd: Could not reliably determine the server's fully qualified domain name. "+
			"Set the 'ServerName' directive globally to suppress this message\n")
		at := p.Now().UTC().Format("[Mon Jan 02 15:04:05.000000 2006] ")
		say(p, 2, at+"[mpm_event:notice] [pid "+strconv.Itoa(p.PID)+":tid 1] AH00489: "+
			"Apache/"+p.Getenv("HTTPD_VERSION")+" (Unix) configured -- resuming normal operations\n")
		say(p, 2, at+"[core:notice] [pid "+strconv.Itoa(p.PID)+":tid 1] AH00094: Command line: 'httpd -D FOREGROUND'\n")
	case webBusyBox:
		return w.busyBox(p)
	case webPython:
		say(p, 1, fmt.Sprintf("Serving HTTP on 0.0.0.0 port %d (http://0.0.0.0:%d/) ...\n", w.Sites[0].Port, w.Sites[0].Port))
	}
	return nil
}

// busyBox is `httpd [-f] [-v] [-p [IP:]PORT] [-h DIRECTORY]`, which continues in the background
// without -f.
func (w *Web) busyBox(p *kernel.Process) *kernel.Wait {
	args := p.Args
	if len(args) > 1 && base(args) == "busybox" {
		args = args[1:]
	}
	if w.Sites == nil {
		text := flag(args, "p", "80")
		port, err := strconv.Atoi(text[strings.LastIndex(text, ":")+1:])
		if err != nil || port < 1 || port > 65535 {
			say(p, 2, "httpd: bad port '"+text+"'\n")
			return &kernel.Wait{For: kernel.Ended, Code: 1}
		}
		root := path.Join("/", p.Path(flag(args, "h", ".")))
		if info, err := p.FS().Stat(root); err != nil || !info.IsDir() {
			say(p, 2, "httpd: can't change directory to '"+root+"': No such file or directory\n")
			return &kernel.Wait{For: kernel.Ended, Code: 1}
		}
		w.Sites = []Site{{Port: port, Locations: []Location{{Path: "/", Root: root, Index: []string{"index.html"}}}}}
	}
	for _, arg := range args[min(1, len(args)):] {
		if strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.ContainsAny(arg[:min(len(arg), 4)], "f") {
			return nil
		}
	}
	if _, err := p.Fork(&Web{Kind: webBusyBox, Sites: w.Sites, Begun: true}); err != nil {
		say(p, 2, "httpd: "+err.Error()+"\n")
		return &kernel.Wait{For: kernel.Ended, Code: 1}
	}
	return &kernel.Wait{For: kernel.Ended}
}

// notice writes a line to nginx' error log.
func (w *Web) notice(p *kernel.Process, text string) {
	logTo(p, "/var/log/nginx/error.log", 2, p.Now().UTC().Format("2006/01/02 15:04:05")+" [notice] "+strconv.Itoa(p.PID)+"#"+strconv.Itoa(p.PID)+": "+text+"\n")
}

// logTo appends to a log file, which in images is a link to an output of the container.
func logTo(p *kernel.Process, file string, fallback int, text string) {
	switch target, err := p.FS().Readlink(file); {
	case err == nil && target == "/dev/stdout":
		say(p, 1, text)
	case err == nil && target == "/dev/stderr":
		say(p, 2, text)
	default:
		if p.FS().AppendFile(file, []byte(text), 0o644) != nil {
			say(p, fallback, text)
		}
	}
}

// signal handles a signal.
func (w *Web) signal(p *kernel.Process, sig kernel.Signal) {
	end := func(code int) { w.Ending = &Ending{At: p.Since(), Code: code} }
	switch {
	case w.Kind == webNginx && sig == kernel.SIGHUP:
		w.notice(p, "signal 1 (SIGHUP) received, reconfiguring")
		if sites, err := nginxSites(p.FS(), nginxConf(p)); err == nil { // a wrong configuration changes nothing
			w.Sites = sites
		}
	case w.Kind == webNginx && sig == kernel.SIGUSR1: // nginx reopens its log files
	case w.Kind == webNginx:
		words := map[kernel.Signal]string{kernel.SIGQUIT: "shutting down", kernel.SIGTERM: "exiting", kernel.SIGINT: "exiting"}
		w.notice(p, fmt.Sprintf("signal %d (SIG%s) received, %s", int(sig), sig, words[sig]))
		w.notice(p, "exit")
		end(0)
	case w.Kind == webApache && (sig == kernel.SIGHUP || sig == kernel.SIGUSR1):
	case w.Kind == webApache:
		word := "caught SIGTERM, shutting down"
		if sig == kernel.SIGWINCH {
			word = "caught SIGWINCH, shutting down gracefully"
		}
		say(p, 2, p.Now().UTC().Format("[Mon Jan 02 15:04:05.000000 2006] ")+"[mpm_event:notice] [pid "+strconv.Itoa(p.PID)+":tid 1] AH00492: "+word+"\n")
		end(0)
	case w.Kind == webPython:
		say(p, 2, "\nKeyboard interrupt received, exiting.\n")
		end(0)
	default:
		end(goTermCode)
	}
}

// Serve answers queries that reach a port of the Pod, for internal/emulator.
func (w *Web) Serve(p *kernel.Process, q kernel.Query) kernel.Answer {
	if !w.Begun || w.Ending != nil {
		return kernel.Answer{Outcome: kernel.OutcomeRefused}
	}
	for i := range w.Sites {
		if w.Sites[i].Port != q.Port {
			continue
		}
		if w.Sites[i].TLS && !q.TLS && q.Kind == kernel.QueryHTTP {
			return w.page(400)
		}
		if a, done := connected(q, w.Sites[i].TLS); done {
			return a
		}
		a := w.answer(p, &w.Sites[i], q)
		if !Silent(q) {
			w.log(p, q, a)
		}
		return a
	}
	return kernel.Answer{Outcome: kernel.OutcomeRefused}
}

func (w *Web) answer(p *kernel.Process, site *Site, q kernel.Query) kernel.Answer {
	asked, _, _ := strings.Cut(string(q.Path), "?")
	asked = path.Clean("/"+asked) + slashAtEnd(asked)
	if method := string(q.Method); method != "" && method != "GET" && method != "HEAD" {
		return w.page(405)
	}
	for _, l := range site.Locations {
		if l.Exact && asked != l.Path || !strings.HasPrefix(asked, l.Path) {
			continue
		}
		switch {
		case l.Status >= 300 && l.Status < 400:
			a := w.page(l.Status)
			a.Header = append(a.Header, "Location: "+string(l.Body))
			return a
		case l.Status != 0 && l.Body == "":
			return w.page(l.Status)
		case l.Status != 0:
			return respond(l.Status, l.Type, strings.ReplaceAll(string(l.Body), "$hostname", p.Hostname()))
		}
		return w.file(p.FS(), &l, asked)
	}
	return w.page(404)
}

// slashAtEnd returns the slash that path.Clean removes.
func slashAtEnd(asked string) string {
	if len(asked) > 1 && strings.HasSuffix(asked, "/") && path.Clean(asked) != "/" {
		return "/"
	}
	return ""
}

// file answers with a file, or with the index of a directory.
func (w *Web) file(fs *vfs.View, l *Location, asked string) kernel.Answer {
	at := path.Join(l.Root, asked)
	if l.Alias != "" {
		at = path.Join(l.Alias, strings.TrimPrefix(asked, l.Path))
	}
	info, err := fs.Stat(at)
	if err != nil {
		return w.page(404)
	}
	if info.IsDir() {
		if !strings.HasSuffix(asked, "/") {
			a := w.page(301)
			a.Header = append(a.Header, "Location: "+asked+"/")
			return a
		}
		for _, name := range l.Index {
			if index, err := fs.Stat(path.Join(at, name)); err == nil && index.IsRegular() {
				return w.content(fs, path.Join(at, name))
			}
		}
		switch {
		case !l.List && w.Kind == webBusyBox:
			return w.page(404)
		case !l.List:
			return w.page(403)
		}
		return w.list(fs, at, asked)
	}
	return w.content(fs, at)
}

func (w *Web) content(fs *vfs.View, at string) kernel.Answer {
	content, err := fs.ReadFile(at)
	if err != nil {
		return w.page(403)
	}
	return respond(200, contentType(at), string(content))
}

func (w *Web) list(fs *vfs.View, at, asked string) kernel.Answer {
	entries, err := fs.ReadDir(at)
	if err != nil {
		return w.page(403)
	}
	var b strings.Builder
	if w.Kind != webGo {
		b.WriteString("<!DOCTYPE HTML>\n<html lang=\"en\">\n<head>\n<title>Directory listing for " + html.EscapeString(asked) + "</title>\n</head>\n<body>\n<ul>\n")
	} else {
		b.WriteString("<pre>\n")
	}
	for _, e := range entries {
		name := e.Name
		if e.IsDir() {
			name += "/"
		}
		name = html.EscapeString(name)
		if w.Kind == webGo {
			b.WriteString("<a href=\"" + name + "\">" + name + "</a>\n")
		} else {
			b.WriteString("<li><a href=\"" + name + "\">" + name + "</a></li>\n")
		}
	}
	if w.Kind == webGo {
		b.WriteString("</pre>\n")
	} else {
		b.WriteString("</ul>\n</body>\n</html>\n")
	}
	return respond(200, "text/html; charset=utf-8", b.String())
}

// page returns the server's standard page for a status.
func (w *Web) page(status int) kernel.Answer {
	text := strconv.Itoa(status) + " " + reasons[status]
	switch w.Kind {
	case webNginx:
		return respond(status, "text/html",
			"<html>\r\n<head><title>"+text+"</title></head>\r\n<body>\r\n<center><h1>"+text+
				"</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n")
	case webApache, webPython:
		return respond(status, "text/html; charset=iso-8859-1",
			"<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n<title>"+text+
				"</title>\n</head><body>\n<h1>"+reasons[status]+"</h1>\n</body></html>\n")
	}
	if w.Kind == webBusyBox {
		return respond(status, "text/html", "<HTML><HEAD><TITLE>"+text+"</TITLE></HEAD>\n<BODY><H1>"+text+"</H1>\n</BODY></HTML>\n")
	}
	if status == 404 {
		return respond(404, "", "404 page not found\n")
	}
	return respond(status, "", text+"\n")
}

var reasons = map[int]string{
	200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 307: "Temporary Redirect", 308: "Permanent Redirect",
	400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Not Allowed", 410: "Gone", 418: "I'm a teapot", 429: "Too Many Requests",
	500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out",
}

// log writes a request to the server's log.
func (w *Web) log(p *kernel.Process, q kernel.Query, a kernel.Answer) {
	agent := "-"
	for _, h := range q.Header {
		if name, value, ok := strings.Cut(h, ":"); ok && strings.EqualFold(name, "User-Agent") {
			agent = strings.TrimSpace(value)
		}
	}
	method := string(q.Method)
	if method == "" {
		method = "GET"
	}
	at := p.Now().UTC().Format("02/Jan/2006:15:04:05 -0700")
	line := fmt.Sprintf("%s - - [%s] \"%s %s HTTP/1.1\" %d %d", peer(q), at, method, string(q.Path), a.Status, len(a.Body))
	switch w.Kind {
	case webNginx:
		logTo(p, "/var/log/nginx/access.log", 1, line+" \"-\" \""+agent+"\" \"-\"\n")
	case webApache:
		say(p, 1, line+"\n")
	case webPython:
		say(p, 2, fmt.Sprintf("%s - - [%s] \"%s %s HTTP/1.1\" %d -\n", peer(q), p.Now().UTC().Format("02/Jan/2006 15:04:05"), method, string(q.Path), a.Status))
	}
}

// apachePort returns the port of the configuration's Listen.
func apachePort(fs *vfs.View, home string) int {
	text, err := fs.ReadFile(home + "/conf/httpd.conf")
	if err != nil {
		return 80
	}
	for _, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) > 1 && f[0] == "Listen" {
			if port, err := strconv.Atoi(f[1][strings.LastIndex(f[1], ":")+1:]); err == nil {
				return port
			}
		}
	}
	return 80
}

func init() {
	kernel.Register("web", &Web{})
	kernel.Provide("apache", func([]string) kernel.Program { return &Web{Kind: webApache} })
	kernel.Provide("httpd", func([]string) kernel.Program { return &Web{Kind: webBusyBox} })
}
