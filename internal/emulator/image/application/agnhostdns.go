package application

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Resolver is agnhost's etc-hosts, dns-suffix or dns-server-list, which print the container's
// configuration of names.
//
// Source: kubernetes v1.36 test/images/agnhost/dns/common.go and dns_linux.go
type Resolver struct{}

// Step implements kernel.Program.
func (*Resolver) Step(p *kernel.Process) kernel.Wait {
	file, field := "/etc/hosts", ""
	switch p.Args[1] {
	case "dns-suffix":
		file, field = "/etc/resolv.conf", "search"
	case "dns-server-list":
		file, field = "/etc/resolv.conf", "nameserver"
	}
	content, err := p.FS().ReadFile(file)
	if err != nil {
		return panics(p, err.Error())
	}
	if field == "" {
		say(p, 1, string(content)+"\n")
		return kernel.Done(0)
	}
	for line := range strings.SplitSeq(string(content), "\n") {
		if strings.HasPrefix(line, field) {
			say(p, 1, strings.Join(strings.Split(line, " ")[1:], ",")+"\n")
			return kernel.Done(0)
		}
	}
	return panics(p, "Could not find DNS search list!")
}

// panics ends a Go program as a panic does.
func panics(p *kernel.Process, why string) kernel.Wait {
	say(p, 2, "panic: "+why+"\n\ngoroutine 1 [running]:\n")
	return kernel.Done(2)
}

func init() {
	kernel.Register("resolver", &Resolver{})
}
