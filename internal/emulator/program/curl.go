package program

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"encoding/base64"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func init() {
	kernel.Register("curl", &Curl{})
	kernel.Provide("curl", func([]string) kernel.Program { return &Curl{} })
}

// Curl is curl with its common options.
type Curl struct {
	Begun    bool
	Silent   bool          `json:",omitempty"`
	Errors   bool          `json:",omitempty"` // -S
	Fail     bool          `json:",omitempty"`
	Include  bool          `json:",omitempty"`
	Remote   bool          `json:",omitempty"` // -O
	Trusts   kernel.Text   `json:",omitempty"` // --cacert
	Insecure bool          `json:",omitempty"` // -k
	To       kernel.Text   `json:",omitempty"`
	Media    kernel.Text   `json:",omitempty"` // the media type of the data; empty without data
	Format   kernel.Text   `json:",omitempty"` // -w
	Retries  int           `json:",omitempty"`
	Delay    time.Duration `json:",omitempty"`
	Always   bool          `json:",omitempty"` // --retry-connrefused
	Connect  time.Duration `json:",omitempty"`
	Again    time.Duration `json:",omitempty"` // when the next attempt begins
	Began    time.Duration `json:",omitempty"`
	Fetch    Fetch
	First    Fetch
}

// Step implements kernel.Program.
func (c *Curl) Step(p *kernel.Process) kernel.Wait {
	if !c.Begun {
		if w, ok := c.begin(p); !ok {
			return w
		}
	}
	if c.Again > p.Since() {
		return kernel.Wait{For: kernel.Time, Until: c.Again}
	}
	f := &c.Fetch
	if w, ok := f.next(p, func() {}); !ok {
		return w
	}
	code, text := c.outcome(p, f)
	again := code == 28 || code == 7 && c.Always || code == 0 && isTransient(f.Answer.Status)
	if again && c.Retries > 0 {
		c.Retries--
		delay := max(c.Delay, time.Second)
		if !c.Silent {
			_, _ = p.Write(2, fmt.Appendf(nil, "Warning: Problem: %s. Will retry in %d seconds. %d retries left.\n", text, int(delay.Seconds()), c.Retries))
		}
		c.Again, c.Fetch, c.Delay = p.In(delay), c.First, 2*delay
		return kernel.Wait{For: kernel.Time, Until: c.Again}
	}
	if code == 0 && c.Fail && f.Answer.Status >= 400 {
		code, text = 22, fmt.Sprintf("The requested URL returned error: %d", f.Answer.Status)
	}
	if code != 0 && (!c.Silent || c.Errors) {
		_, _ = p.Write(2, fmt.Appendf(nil, "curl: (%d) %s\n", code, text))
	}
	return c.finish(p, f, code)
}

// isTransient reports whether --retry repeats a request that is answered with a status.
func isTransient(status int) bool {
	return status == 408 || status == 429 || status >= 500 && status <= 504
}

// outcome returns the exit code and the message for a result.
func (c *Curl) outcome(p *kernel.Process, f *Fetch) (int, string) {
	ms := int((p.Since() - c.Began) / time.Millisecond)
	switch f.Failed {
	case "":
		return 0, "HTTP error"
	case fetchNoName:
		return 6, "Could not resolve host: " + f.Host
	case fetchRefused:
		return 7, fmt.Sprintf("Failed to connect to %s port %d after %d ms: Could not connect to server", f.Host, f.Port, ms)
	case fetchUnreachable:
		return 7, fmt.Sprintf("Failed to connect to %s port %d after %d ms: No route to host", f.Host, f.Port, ms)
	case fetchReset:
		return 56, "Recv failure: Connection reset by peer"
	case fetchIssuer:
		return 60, "SSL certificate problem: unable to get local issuer certificate" + curlDetails
	case fetchWrongName:
		return 60, "SSL: no alternative certificate subject name matches target host name '" + f.Host + "'" + curlDetails
	case fetchPlain:
		return 35, "TLS connect error: error:0A00010B:SSL routines::wrong version number"
	case fetchTimeout:
		return 28, fmt.Sprintf("Connection timed out after %d milliseconds", ms)
	case fetchLoops:
		return 47, fmt.Sprintf("Maximum (%d) redirects followed", f.Follow)
	case fetchBadScheme:
		scheme, _, _ := strings.Cut(string(f.URL), ":")
		return 1, "Protocol \"" + scheme + "\" not supported"
	}
	return 3, "URL using bad/illegal format or missing URL"
}

// curlDetails follows a message about a certificate.
const curlDetails = "\nMore details here: https://curl.se/docs/sslcerts.html\n\ncurl failed to verify the legitimacy of the server and therefore could not\n" +
	"establish a secure connection to it. To learn more about this situation and\nhow to fix it, please visit the webpage mentioned above."

func (c *Curl) finish(p *kernel.Process, f *Fetch, code int) kernel.Wait {
	out := ""
	if a := f.Answer; a != nil && code != 22 {
		head := ""
		if c.Include || f.Method == "HEAD" {
			head = fmt.Sprintf("HTTP/1.1 %d %s\r\n", a.Status, statusText(a.Status))
			for _, h := range a.Header {
				head += h + "\r\n"
			}
			head += "\r\n"
		}
		if f.Method == "HEAD" {
			out = head
		} else {
			out = head + string(a.Body)
		}
		if to := string(c.To); to != "" && to != "-" {
			fd, err := p.OpenPath(to, vfs.Write|vfs.Create|vfs.Truncate, 0o666, 3)
			if err == nil {
				_, err = p.Write(fd, []byte(out))
			}
			if err != nil {
				_, _ = p.Write(2, []byte("curl: (23) Failed writing received data to disk/application\n"))
				code = 23
			}
			out = ""
		}
	}
	if !c.Silent && f.Answer != nil {
		n := len(f.Answer.Body)
		_, _ = p.Write(2, fmt.Appendf(nil, "  %% Total    %% Received %% Xferd  Average Speed   Time    Time     Time  Current\n"+
			"                                 Dload  Upload   Total   Spent    Left  Speed\n"+
			"100 %5d  100 %5d    0     0  %5d      0 --:--:-- --:--:-- --:--:-- %5d\n", n, n, n, n))
	}
	if c.Format != "" {
		out += c.format(p, f)
	}
	return finish(p, out, code)
}

// format returns the output of -w.
func (c *Curl) format(p *kernel.Process, f *Fetch) string {
	status, size, kind := 0, 0, ""
	if f.Answer != nil {
		status, size, kind = f.Answer.Status, len(f.Answer.Body), header(f.Answer, "Content-Type")
	}
	took := strconv.FormatFloat((p.Since() - c.Began).Seconds(), 'f', 6, 64)
	code := fmt.Sprintf("%03d", status)
	address := ""
	if f.Name != nil {
		address = f.Name.first()
	}
	return strings.NewReplacer(
		"%{http_code}", code, "%{response_code}", code, "%{size_download}", strconv.Itoa(size), "%{content_type}", kind,
		"%{time_total}", took, "%{time_connect}", took, "%{url_effective}", string(f.URL), "%{remote_ip}", address,
		"%{num_redirects}", strconv.Itoa(f.Hops), "%%", "%", `\n`, "\n", `\t`, "\t", `\r`, "\r",
	).Replace(string(c.Format))
}

// curlValues are the options with a value, and their letters.
var curlValues = map[string]string{
	"--output": "o", "--write-out": "w", "--request": "X", "--data": "d", "--data-ascii": "d", "--data-raw": "raw",
	"--data-binary": "binary", "--json": "json", "--header": "H", "--max-time": "m", "--user": "u",
	"--user-agent": "A", "--connect-timeout": "connect", "--retry": "retry", "--retry-delay": "delay",
	"--max-redirs": "redirs", "--cacert": "cacert", "--url": "url",
	"--retry-max-time": "none", "--interface": "none",
}

var curlFlags = map[string]string{
	"--silent": "s", "--show-error": "S", "--fail": "f", "--include": "i", "--head": "I", "--location": "L", "--insecure": "k", "--remote-name": "O",
	"--retry-connrefused": "refused", "--compressed": "q", "--no-progress-meter": "s", "--ipv4": "4", "--http1.1": "q", "--disable": "q", "--get": "get",
}

func (c *Curl) begin(p *kernel.Process) (kernel.Wait, bool) {
	c.Begun, c.Began = true, p.Since()
	c.Fetch.Method, c.Fetch.Timeout = "GET", 130*time.Second
	c.Fetch.Header = kernel.Texts{"User-Agent: curl/8.5.0", "Accept: */*"}
	args := p.Args[1:]
	bad := func(option string) (kernel.Wait, bool) {
		_, _ = p.Write(2, []byte("curl: option "+option+": rowlock: is not emulated\n"))
		return kernel.Done(2), false
	}
	take := func() (string, bool) {
		if len(args) == 0 {
			return "", false
		}
		v := args[0]
		args = args[1:]
		return v, true
	}
	for len(args) > 0 {
		arg, _ := take()
		switch {
		case !strings.HasPrefix(arg, "-") || arg == "-":
			if c.Fetch.URL != "" {
				return bad("with two URLs")
			}
			c.Fetch.URL = kernel.Text(arg)
		case strings.HasPrefix(arg, "--"):
			if flag, ok := curlFlags[arg]; ok {
				c.flag(flag)
				continue
			}
			key, ok := curlValues[arg]
			value, given := take()
			if ok && given && curlData[key] {
				if w, ok := c.send(p, arg, key, value); !ok {
					return w, false
				}
				continue
			}
			if !ok || !given || !c.value(key, value) {
				return bad(arg)
			}
		default:
			for i := 1; i < len(arg); i++ {
				if c.flag(arg[i : i+1]) {
					continue
				}
				value := arg[i+1:]
				if value == "" {
					value, _ = take()
				}
				if key := arg[i : i+1]; curlData[key] {
					if w, ok := c.send(p, "-"+key, key, value); !ok {
						return w, false
					}
				} else if !c.value(key, value) {
					return bad("-" + arg[i:i+1])
				}
				break
			}
		}
	}
	if c.Fetch.URL == "" {
		_, _ = p.Write(2, []byte("curl: (2) no URL specified\ncurl: try 'curl --help' or 'curl --manual' for more information\n"))
		return kernel.Done(2), false
	}
	if c.Remote {
		c.To = kernel.Text(path.Base(string(c.Fetch.URL)))
	}
	return c.trust(p)
}

// trust reads the trusted authorities, and completes the first request. If it fails, it returns
// false and the process's end.
func (c *Curl) trust(p *kernel.Process) (kernel.Wait, bool) {
	c.Fetch.Verify, c.Fetch.Header = !c.Insecure, c.headers()
	defer func() { c.First = c.Fetch }()
	if c.Trusts == "" || c.Insecure || !strings.HasPrefix(string(c.Fetch.URL), "https:") {
		return kernel.Wait{}, true
	}
	roots, err := p.FS().ReadFile(p.Path(string(c.Trusts)))
	if err != nil {
		_, _ = p.Write(2, []byte("curl: (77) error setting certificate verify locations:  CAfile: "+string(c.Trusts)+" CApath: none\n"))
		return kernel.Done(77), false
	}
	c.Fetch.Roots = kernel.Text(roots)
	return kernel.Wait{}, true
}

func (c *Curl) flag(name string) bool {
	switch name {
	case "s":
		c.Silent = true
	case "S":
		c.Errors = true
	case "f":
		c.Fail = true
	case "i":
		c.Include = true
	case "I":
		c.Fetch.Method = "HEAD"
	case "L":
		c.Fetch.Follow = 50
	case "O":
		c.Remote = true
	case "refused":
		c.Always = true
	case "k":
		c.Insecure = true
	case "4", "N", "g", "q":
	default:
		return false
	}
	return true
}

func (c *Curl) value(key, value string) bool {
	seconds := func() time.Duration {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return -1
		}
		return time.Duration(v * float64(time.Second))
	}
	switch key {
	case "o":
		c.To = kernel.Text(value)
	case "w":
		c.Format = kernel.Text(value)
	case "X":
		c.Fetch.Method = kernel.Text(value)
	case "H":
		c.Fetch.Header = append(c.Fetch.Header, value)
	case "A":
		c.Fetch.Header[0] = "User-Agent: " + value
	case "u":
		c.Fetch.Header = append(c.Fetch.Header, "Authorization: Basic "+base64.StdEncoding.EncodeToString([]byte(value)))
	case "m", "connect":
		d := seconds()
		if d < 0 {
			return false
		}
		c.Fetch.Timeout = min(c.Fetch.Timeout, d)
	case "retry":
		n, err := strconv.Atoi(value)
		c.Retries = n
		return err == nil
	case "delay":
		c.Delay = seconds()
	case "redirs":
		n, err := strconv.Atoi(value)
		c.Fetch.Follow = n
		return err == nil
	case "cacert":
		c.Trusts = kernel.Text(value)
	case "url":
		c.Fetch.URL = kernel.Text(value)
	case "none":
	default:
		return false
	}
	return true
}
