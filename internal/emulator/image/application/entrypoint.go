package application

import (
	"encoding/json"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Entrypoint is the script with which many images begin: it becomes the command line in its
// arguments or, if they begin with an option, Command with these arguments.
type Entrypoint struct {
	Command kernel.Text `json:",omitempty"`
	Output  kernel.Text `json:",omitempty"` // what it prints first
}

// Step implements kernel.Program.
func (e *Entrypoint) Step(p *kernel.Process) kernel.Wait {
	if e.Output != "" {
		if wait, done := write(p, 1, &e.Output); !done {
			return wait
		}
	}
	args := append([]string(nil), p.Args[min(1, len(p.Args)):]...)
	if len(args) == 0 && e.Command != "" || len(args) > 0 && strings.HasPrefix(args[0], "-") {
		args = append([]string{string(e.Command)}, args...)
	}
	if len(args) == 0 || args[0] == "" {
		return kernel.Done(0)
	}
	return become(p, args)
}

// become makes the process run a command, which is searched in its PATH.
func become(p *kernel.Process, args []string) kernel.Wait {
	list := p.Getenv("PATH")
	if list == "" {
		list = kernel.DefaultPath
	}
	file, err := kernel.LookPath(p.FS(), args[0], list, p.Cwd)
	if err == nil {
		var wait kernel.Wait
		if wait, err = p.Exec(file, args, p.Env); err == nil {
			return wait
		}
	}
	say(p, 2, p.Args[0]+": exec: "+args[0]+": not found\n")
	return kernel.Done(127)
}

// nginxSays is the output of nginx' script.
const nginxSays = `/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration
/docker-entrypoint.sh: Looking for shell scripts in /docker-entrypoint.d/
/docker-entrypoint.sh: Configuration complete; ready for start up
`

// Described runs the service that is described, as JSON, in the file that names it as its
// interpreter.
type Described struct{}

// DescribedProgram is the name under which Described is provided.
const DescribedProgram = "rowlock-service"

// maxDescription bounds such a file, in bytes.
const maxDescription = 1 << 20

// Describe returns the content of an executable file that runs a service.
func Describe(interpreter string, s Service) (string, error) {
	text, err := json.Marshal(s)
	return "#!" + interpreter + "\n" + string(text) + "\n", err
}

// Step implements kernel.Program. It becomes the service.
func (*Described) Step(p *kernel.Process) kernel.Wait {
	if len(p.Args) < 2 {
		say(p, 2, p.Args[0]+": no service is described\n")
		return kernel.Done(2)
	}
	content, err := p.FS().ReadFile(p.Path(p.Args[1]))
	if err != nil || len(content) > maxDescription {
		say(p, 2, p.Args[1]+": cannot be read\n")
		return kernel.Done(2)
	}
	_, text, _ := strings.Cut(string(content), "\n")
	var s Service
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		say(p, 2, p.Args[1]+": "+err.Error()+"\n")
		return kernel.Done(2)
	}
	running := &Running{Own: &s, Args: p.Args}
	p.Run.Program = running
	return running.Step(p)
}

func init() {
	kernel.Register("entrypoint", &Entrypoint{})
	kernel.Register("described", &Described{})
	kernel.Provide("entrypoint", func([]string) kernel.Program { return &Entrypoint{} })
	kernel.Provide("nginx-entrypoint", func([]string) kernel.Program { return &Entrypoint{Output: nginxSays} })
	for _, name := range []string{"node", "php", "curl", "bash"} {
		kernel.Provide(name+"-entrypoint", func([]string) kernel.Program { return &Entrypoint{Command: kernel.Text(name)} })
	}
}
