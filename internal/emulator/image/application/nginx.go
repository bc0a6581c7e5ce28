package application

import (
	"path"
	"slices"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// nginx returns the program for a command line: the server, or a command that checks the
// configuration.
func nginx(args []string) kernel.Program {
	if slices.Contains(args, "-v") || slices.Contains(args, "-V") {
		return &Nginx{Ask: "version"}
	}
	if slices.Contains(args, "-t") || slices.Contains(args, "-T") {
		return &Nginx{Ask: "test"}
	}
	if i := slices.Index(args, "-s"); i >= 0 && i+1 < len(args) {
		return &Nginx{Ask: kernel.Text(args[i+1])}
	}
	return &Web{Kind: webNginx}
}

// Nginx is nginx as a command that checks the configuration or sends a signal to the server.
type Nginx struct{ Ask kernel.Text }

// Step implements kernel.Program.
func (n *Nginx) Step(p *kernel.Process) kernel.Wait {
	switch n.Ask {
	case "version":
		say(p, 2, "nginx version: nginx/"+p.Getenv("NGINX_VERSION")+"\n")
		return kernel.Done(0)
	case "test":
		conf := nginxConf(p)
		if _, err := nginxSites(p.FS(), conf); err != nil {
			say(p, 2, "nginx: [emerg] "+err.Error()+"\nnginx: configuration file "+conf+" test failed\n")
			return kernel.Done(1)
		}
		say(p, 2, "nginx: the configuration file "+conf+" syntax is ok\nnginx: configuration file "+conf+" test is successful\n")
		return kernel.Done(0)
	}
	sig, ok := map[kernel.Text]kernel.Signal{"quit": kernel.SIGQUIT, "stop": kernel.SIGTERM, "reload": kernel.SIGHUP, "reopen": kernel.SIGUSR1}[n.Ask]
	if !ok {
		say(p, 2, "nginx: invalid option: \"-s "+string(n.Ask)+"\"\n")
		return kernel.Done(1)
	}
	for _, other := range p.List() {
		if other.PID != p.PID && len(other.Args) > 0 && path.Base(other.Args[0]) == "nginx" {
			p.Signal(other.PID, sig)
			return kernel.Done(0)
		}
	}
	say(p, 2, "nginx: [error] invalid PID number \"\" in \"/var/run/nginx.pid\"\n")
	return kernel.Done(1)
}

func init() {
	kernel.Register("nginx", &Nginx{})
	kernel.Provide("nginx", nginx)
}
