package program

import (
	"slices"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// curlForm is the media type of curl's data, unless a header sets another.
const curlForm = "application/x-www-form-urlencoded"

// curlData are the options that give data: as text, with the content of a file, or unchanged.
var curlData = map[string]bool{"d": true, "binary": true, "raw": true, "json": true}

// send adds data to the request. If the file of the data cannot be read, it returns false and the
// process's end.
//
// Source: curl 8.5 src/tool_getparam.c, case 'd'
func (c *Curl) send(p *kernel.Process, option, key, value string) (kernel.Wait, bool) {
	if file, ok := strings.CutPrefix(value, "@"); ok && key != "raw" {
		if file == "-" {
			_, _ = p.Write(2, []byte("curl: option "+option+" @-: rowlock: is not emulated\n"))
			return kernel.Done(2), false
		}
		content, err := p.FS().ReadFile(p.Path(file))
		if err != nil {
			_, _ = p.Write(2, []byte("curl: Failed to open "+file+"\ncurl: option "+option+": error encountered when reading a file\n"+
				"curl: try 'curl --help' or 'curl --manual' for more information\n"))
			return kernel.Done(26), false
		}
		if value = string(content); key == "d" {
			value = strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(value)
		}
	}
	if c.Media != "" && key != "json" {
		value = "&" + value
	}
	c.Fetch.Body += kernel.Text(value)
	c.Media = curlForm
	if key == "json" {
		c.Media = "application/json"
		c.Fetch.Header[1] = "Accept: application/json"
	}
	if c.Fetch.Method == "GET" {
		c.Fetch.Method = "POST"
	}
	return kernel.Wait{}, true
}

// headers returns the headers of the request: curl's own, unless the user replaces or removes them,
// and the user's.
func (c *Curl) headers() kernel.Texts {
	all, own := slices.Clone(c.Fetch.Header[:2]), c.Fetch.Header[2:]
	if c.Media != "" {
		all = append(all, "Content-Type: "+string(c.Media))
	}
	all = slices.DeleteFunc(all, func(line string) bool {
		name, _, _ := strings.Cut(line, ":")
		return slices.ContainsFunc(own, func(line string) bool {
			given, _, _ := strings.Cut(strings.Replace(line, ";", ":", 1), ":")
			return strings.EqualFold(given, name)
		})
	})
	for _, line := range own {
		name, value, colon := strings.Cut(line, ":")
		switch {
		case colon && strings.TrimSpace(value) != "":
			all = append(all, line)
		case !colon && strings.HasSuffix(line, ";"):
			all = append(all, strings.TrimSuffix(name, ";")+":")
		}
	}
	return all
}
