package application

import (
	"fmt"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Toolchain is java, jshell or go. Only their versions are emulated, and jshell without input.
type Toolchain struct{ Name string }

// Step implements kernel.Program.
func (t *Toolchain) Step(p *kernel.Process) kernel.Wait {
	args := p.Args[min(1, len(p.Args)):]
	switch {
	case t.Name == "go" && len(args) == 1 && args[0] == "version":
		say(p, 1, "go version go"+p.Getenv("GOLANG_VERSION")+" linux/amd64\n")
		return kernel.Done(0)
	case t.Name == "java" && (slices.Contains(args, "-version") || slices.Contains(args, "--version")):
		text := fmt.Sprintf("openjdk version %q\nOpenJDK Runtime Environment\nOpenJDK 64-Bit Server VM\n", p.Getenv("JAVA_VERSION"))
		say(p, map[bool]int{true: 2, false: 1}[slices.Contains(args, "-version")], text)
		return kernel.Done(0)
	case base(p.Args) == "jshell" && len(args) == 0:
		return kernel.Done(0)
	}
	p.Run.Program = notEmulated(base(p.Args), "with these arguments")
	return kernel.Wait{}
}

// Greeter is the program of hello-world, and that of Kubernetes' test image nonewprivs.
type Greeter struct{ Who string }

// Step implements kernel.Program.
func (g *Greeter) Step(p *kernel.Process) kernel.Wait {
	if g.Who == "nnp" {
		say(p, 1, fmt.Sprintf("Effective uid: %d\n", p.UID()))
		return kernel.Done(0)
	}
	say(p, 1, "\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n\n")
	return kernel.Done(0)
}

func init() {
	kernel.Register("toolchain", &Toolchain{})
	kernel.Register("greeter", &Greeter{})
	for _, name := range []string{"java", "go"} {
		kernel.Provide(name, func([]string) kernel.Program { return &Toolchain{Name: name} })
	}
	for _, name := range []string{"nnp", "hello-world"} {
		kernel.Provide(name, func([]string) kernel.Program { return &Greeter{Who: name} })
	}
}
