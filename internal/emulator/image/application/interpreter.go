package application

import (
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/image/script"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Interpreter is perl, python, node, ruby or php before it has its script: it then becomes a
// Scripted.
type Interpreter struct {
	Language string
	Input    kernel.Text `json:",omitempty"` // the part of a script that was read from standard input
}

// order is the parsed command line of an interpreter.
type order struct {
	version bool
	inline  bool   // text is the script
	text    string // the script, or its file; "" and not inline: standard input
	newline bool   // perl -l
	modules []string
	known   bool // false if an option is not emulated
}

// Step implements kernel.Program.
func (i *Interpreter) Step(p *kernel.Process) kernel.Wait {
	l := script.Languages[i.Language]
	o := orderOf(l, p.Args)
	version := p.Getenv(strings.ToUpper(l.Name) + "_VERSION")
	if version == "" {
		version = defaultVersions[l.Name]
	}
	switch {
	case o.version:
		say(p, 1, l.Version(version))
		return kernel.Done(0)
	case i.Language == "python" && slices.Contains(o.modules, "http.server"):
		return i.become(p, httpServer(p))
	case !o.known || len(o.modules) > 0 && i.Language != "perl":
		return i.become(p, refusal(l.Name))
	case !o.inline && o.text == "":
		if wait, done := i.read(p); !done {
			return wait
		}
		o.text = string(i.Input)
	case !o.inline:
		content, err := p.FS().ReadFile(p.Path(o.text))
		if err != nil {
			text, code := l.Missing(p.Path(o.text))
			say(p, 2, text)
			return kernel.Done(code)
		}
		o.text = withoutShebang(string(content))
	}
	if i.Language == "python" {
		return i.python(p, o.text)
	}
	does, err := l.Run(o.text, o.newline, p.Getenv, p.Hostname())
	if err != nil {
		return i.become(p, refusal(l.Name))
	}
	return i.become(p, &Scripted{Acts: does.Acts, Code: does.Code})
}

// python starts a program, unless its first part is not emulated: then it runs nothing.
func (i *Interpreter) python(p *kernel.Process, text string) kernel.Wait {
	program := &Python{script.Python{Text: kernel.Text(text)}}
	if program.advance(p) != nil {
		return i.become(p, refusal(i.Language))
	}
	return i.become(p, program)
}

func (i *Interpreter) become(p *kernel.Process, program kernel.Program) kernel.Wait {
	p.Run.Program = program
	return kernel.Wait{}
}

// read reads standard input to its end.
func (i *Interpreter) read(p *kernel.Process) (kernel.Wait, bool) {
	for {
		got, err := p.Read(0, script.MaxSize)
		i.Input += kernel.Text(got)
		switch {
		case err == kernel.ErrWouldBlock:
			return kernel.Wait{For: kernel.Readable, FD: 0}, false
		case err == io.EOF, err != nil, len(i.Input) > script.MaxSize:
			return kernel.Wait{}, true
		}
	}
}

var defaultVersions = map[string]string{"perl": "5.36.0", "python": "3.11.2", "node": "22.11.0", "ruby": "3.3.6", "php": "8.4.1"}

// orderOf parses a command line.
func orderOf(l *script.Language, args []string) order {
	o := order{known: true}
	for i := 1; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			if !o.inline && arg != "-" {
				o.text = arg
			}
			return o
		case arg == "--version", arg == "-V" && l.Name == "python", arg == "-v" && l.Name != "python":
			o.version = true
			return o
		case l.Name == "perl":
			rest, ok := o.perlOption(arg)
			o.known = o.known && ok
			if rest && i+1 < len(args) {
				i++
				o.inline, o.text = true, o.text+args[i]+"\n"
			}
		case l.Name == "python" && arg == "-m" && i+1 < len(args):
			o.modules = append(o.modules, args[i+1])
			return o
		case slices.Contains(l.Inline, arg) && i+1 < len(args):
			o.inline, o.text = true, args[i+1]
			return o
		case l.Name == "python" && strings.Trim(arg, "-uBEsISOqvx") == "": // options that do not change the result
		case l.Name == "php" && arg == "-a", l.Name == "node" && arg == "-i":
		default:
			o.known = false
			return o
		}
	}
	return o
}

// perlOption parses an option of Perl, which may hold several letters; more says that the script
// follows.
func (o *order) perlOption(arg string) (more, ok bool) {
	if module, found := strings.CutPrefix(arg, "-M"); found {
		o.modules = append(o.modules, module)
		return false, slices.Contains([]string{"bignum=bpi", "bignum", "bigint", "strict", "warnings", "Math::BigInt", "Math::BigFloat"}, module)
	}
	if arg == "-de0" { // the debugger, which ends because it has no input
		o.inline, o.text = true, ""
		return false, true
	}
	for i := 1; i < len(arg); i++ {
		switch arg[i] {
		case 'l':
			o.newline = true
		case 'w', 'W', 'T', 't', 'X':
		case 'e', 'E':
			return i == len(arg)-1, i == len(arg)-1
		default:
			return false, false
		}
	}
	return false, true
}

func withoutShebang(text string) string {
	if strings.HasPrefix(text, "#!") {
		_, text, _ = strings.Cut(text, "\n")
	}
	text = strings.TrimPrefix(text, "<?php")
	return text
}

// httpServer is `python -m http.server [PORT] [-d DIRECTORY]`.
func httpServer(p *kernel.Process) *Web {
	port, root := 8000, p.Cwd
	at := slices.Index(p.Args, "http.server")
	for _, arg := range p.Args[at+1:] {
		if n, err := strconv.Atoi(arg); err == nil && n > 0 && n < 1<<16 {
			port = n
		}
	}
	if dir := flag(p.Args, "directory", flag(p.Args, "d", "")); dir != "" {
		root = path.Join("/", p.Path(dir))
	}
	return &Web{Kind: webPython, Sites: []Site{{Port: port, Locations: []Location{{Path: "/", Root: root, Index: words("index.html index.htm"), List: true}}}}}
}

func init() {
	kernel.Register("interpreter", &Interpreter{})
	for name := range script.Languages {
		kernel.Provide(name, func([]string) kernel.Program { return &Interpreter{Language: name} })
	}
	kernel.Provide("python3", func([]string) kernel.Program { return &Interpreter{Language: "python"} })
}
