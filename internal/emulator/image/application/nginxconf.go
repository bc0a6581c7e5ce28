package application

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Site is what a server serves on a port.
type Site struct {
	Port      int
	TLS       bool       `json:",omitempty"`
	Locations []Location // the first that matches counts
}

// Location is how a server answers requests for paths.
type Location struct {
	Path   string      // the beginning of the path
	Exact  bool        `json:",omitempty"` // Path is the whole path
	Root   string      `json:",omitempty"` // the directory that holds the paths
	Alias  string      `json:",omitempty"` // instead of a root: what replaces Path
	Index  []string    `json:",omitempty"`
	List   bool        `json:",omitempty"` // a directory without index is listed
	Status int         `json:",omitempty"` // the answer's status, if it does not come from files
	Type   string      `json:",omitempty"` // of such an answer
	Body   kernel.Text `json:",omitempty"` // of such an answer, or the target of a redirect
}

// nginxConf returns the path of the configuration: that of -c, or the image's default.
func nginxConf(p *kernel.Process) string {
	if conf := flag(p.Args, "c", ""); conf != "" {
		return p.Path(conf)
	}
	const bitnami = "/opt/bitnami/nginx/conf/nginx.conf"
	if _, err := p.FS().Stat(bitnami); err == nil {
		return bitnami
	}
	return "/etc/nginx/nginx.conf"
}

// directive is a directive of a configuration: its words, and its block in braces.
type directive struct {
	words []string
	block []directive
}

// The limits of a configuration.
const (
	maxNginxFiles = 50
	maxNginxBytes = 1 << 20
	maxNginxDepth = 16
	maxSites      = 100
	maxLocations  = 1000 // of all sites
)

// nginxReader reads a configuration and the files that it includes.
type nginxReader struct {
	fs    *vfs.View
	home  string // the directory of relative file names
	files int
	bytes int
}

// nginxSites parses the servers in nginx' configuration: listen, root, alias, index, location,
// return and autoindex; other directives have no effect. A location that proxies requests answers
// 502.
func nginxSites(fs *vfs.View, conf string) ([]Site, error) {
	r := &nginxReader{fs: fs, home: path.Dir(conf)}
	all, err := r.file(conf, 0)
	if err != nil {
		return nil, err
	}
	var sites []Site
	for _, http := range all {
		if http.words[0] != "http" {
			continue
		}
		for _, d := range http.block {
			if d.words[0] == "server" {
				sites = append(sites, nginxServer(d.block, http.block)...)
			}
			if !few(sites) {
				return nil, errors.New("the configuration is too large")
			}
		}
	}
	return sites, nil
}

func few(sites []Site) bool {
	locations := 0
	for _, s := range sites {
		locations += len(s.Locations)
	}
	return len(sites) <= maxSites && locations <= maxLocations
}

func (r *nginxReader) file(name string, depth int) ([]directive, error) {
	text, err := r.fs.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("open() %q failed (2: No such file or directory)", name)
	}
	r.files++
	r.bytes += len(text)
	if r.files > maxNginxFiles || r.bytes > maxNginxBytes || depth > maxNginxDepth {
		return nil, errors.New("the configuration is too large")
	}
	all, err := r.parse(nginxWords(string(text)), depth)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, name)
	}
	return all, nil
}

// parse parses all words.
func (r *nginxReader) parse(tokens []string, depth int) ([]directive, error) {
	all, rest, err := r.block(tokens, depth)
	if err == nil && len(rest) > 0 {
		err = errors.New(`unexpected "}"`)
	}
	return all, err
}

// block parses directives up to the brace that ends them, or to the end, and returns the rest.
func (r *nginxReader) block(tokens []string, depth int) ([]directive, []string, error) {
	if depth > maxNginxDepth {
		return nil, nil, errors.New("the configuration is too deep")
	}
	var all []directive
	for len(tokens) > 0 && tokens[0] != "}" {
		end := slices.IndexFunc(tokens, func(t string) bool { return t == ";" || t == "{" || t == "}" })
		if end <= 0 || tokens[end] == "}" {
			return nil, nil, fmt.Errorf("unexpected %q", tokens[max(end, 0)])
		}
		d := directive{words: unquoted(tokens[:end])}
		block := tokens[end] == "{"
		tokens = tokens[end+1:]
		if block {
			var err error
			if d.block, tokens, err = r.block(tokens, depth+1); err != nil {
				return nil, nil, err
			}
			if len(tokens) == 0 {
				return nil, nil, errors.New(`unexpected end of file, expecting "}"`)
			}
			tokens = tokens[1:]
		}
		if d.words[0] != "include" || len(d.words) < 2 {
			all = append(all, d)
			continue
		}
		included, err := r.include(d.words[1], depth+1)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, included...)
	}
	return all, tokens, nil
}

// include reads the files that match a pattern, ordered by name.
func (r *nginxReader) include(pattern string, depth int) ([]directive, error) {
	if !strings.HasPrefix(pattern, "/") {
		pattern = r.home + "/" + pattern
	}
	if !strings.ContainsAny(pattern, "*?[") {
		return r.file(pattern, depth)
	}
	entries, err := r.fs.ReadDir(path.Dir(pattern))
	if err != nil {
		return nil, nil //nolint:nilerr // a pattern may match nothing
	}
	var all []directive
	for _, e := range entries {
		if ok, _ := path.Match(path.Base(pattern), e.Name); !ok || e.IsDir() {
			continue
		}
		more, err := r.file(path.Join(path.Dir(pattern), e.Name), depth)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// nginxWords splits a configuration into words and the signs ; { }. A quoted word keeps its opening
// quote.
func nginxWords(text string) []string {
	var all []string
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.IndexByte(" \t\r\n", c) >= 0:
			i++
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == ';' || c == '{' || c == '}':
			all = append(all, string(c))
			i++
		case c == '"' || c == '\'':
			j := i + 1
			for j < len(text) && text[j] != c {
				if text[j] == '\\' {
					j++
				}
				j++
			}
			all = append(all, text[i:min(j, len(text))])
			i = min(j+1, len(text))
		default:
			j := i
			for j < len(text) && strings.IndexByte(" \t\r\n;{", text[j]) < 0 || j < len(text) && text[j] == '{' && j > i && text[j-1] == '$' {
				j++
			}
			all = append(all, text[i:j])
			i = j
		}
	}
	return all
}

var nginxEscapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\'`, `'`, `\\`, `\`)

func unquoted(tokens []string) []string {
	all := make([]string, len(tokens))
	for i, t := range tokens {
		if t[0] == '"' || t[0] == '\'' {
			t = nginxEscapes.Replace(t[1:])
		}
		all[i] = t
	}
	return all
}

// setting returns the last value of a directive in the innermost block that has it.
func setting(name string, blocks ...[]directive) []string {
	for _, block := range blocks {
		for i := len(block) - 1; i >= 0; i-- {
			if block[i].words[0] == name {
				return block[i].words[1:]
			}
		}
	}
	return nil
}

// nginxServer returns the sites of a server, one for each port.
func nginxServer(server, http []directive) []Site {
	var locations []Location
	if back := setting("return", server); back != nil {
		locations = append(locations, nginxReturn(Location{Path: "/"}, back, setting("default_type", server, http)))
	}
	var plain []Location
	for _, d := range server {
		if d.words[0] != "location" || len(d.words) < 2 {
			continue
		}
		l := nginxLocation(d, server, http)
		if l.Exact {
			locations = append(locations, l)
		} else if !strings.HasPrefix(d.words[1], "~") {
			plain = append(plain, l)
		}
	}
	slices.SortStableFunc(plain, func(a, b Location) int { return len(b.Path) - len(a.Path) })
	locations = append(append(locations, plain...), nginxFiles(Location{Path: "/"}, server, http))

	var sites []Site
	for _, d := range server {
		if d.words[0] != "listen" || len(d.words) < 2 {
			continue
		}
		word := d.words[1]
		port, err := strconv.Atoi(word[strings.LastIndex(word, ":")+1:])
		if err != nil {
			port = 80
		}
		if !slices.ContainsFunc(sites, func(s Site) bool { return s.Port == port }) {
			sites = append(sites, Site{Port: port, TLS: slices.Contains(d.words[2:], "ssl"), Locations: locations})
		}
	}
	if sites == nil {
		sites = []Site{{Port: 80, Locations: locations}}
	}
	return sites
}

func nginxLocation(d directive, server, http []directive) Location {
	l := Location{Path: d.words[len(d.words)-1], Exact: d.words[1] == "="}
	if back := setting("return", d.block); back != nil {
		return nginxReturn(l, back, setting("default_type", d.block, server, http))
	}
	if setting("stub_status", d.block) != nil {
		l.Status, l.Body = 200, "Active connections: 1 \nserver accepts handled requests\n 1 1 1 \nReading: 0 Writing: 1 Waiting: 0 \n"
		return l
	}
	for _, name := range []string{"proxy_pass", "fastcgi_pass", "uwsgi_pass", "grpc_pass"} {
		if setting(name, d.block) != nil {
			l.Status = 502
			return l
		}
	}
	if alias := setting("alias", d.block); len(alias) > 0 {
		l.Alias = alias[0]
	}
	return nginxFiles(l, d.block, server, http)
}

// nginxFiles returns a location that serves files.
func nginxFiles(l Location, blocks ...[]directive) Location {
	l.Root = "/etc/nginx/html"
	if root := setting("root", blocks...); len(root) > 0 {
		l.Root = root[0]
	}
	l.Index = []string{"index.html"}
	if index := setting("index", blocks...); len(index) > 0 {
		l.Index = index
	}
	if list := setting("autoindex", blocks...); len(list) > 0 {
		l.List = list[0] == "on"
	}
	return l
}

// nginxReturn returns a location that answers without files: `return 200 "text"`, `return 301
// /there` or `return /there`.
func nginxReturn(l Location, words, defaultType []string) Location {
	l.Status = 302
	if len(words) > 0 {
		if status, err := strconv.Atoi(words[0]); err == nil {
			if l.Status, words = status, words[1:]; status < 100 || status > 999 {
				l.Status = 500
			}
		}
	}
	if len(words) > 0 {
		l.Body = kernel.Text(words[0])
	}
	if l.Type = "application/octet-stream"; len(defaultType) > 0 {
		l.Type = defaultType[0]
	}
	return l
}
