package image

import (
	_ "embed"
	"slices"
	"strings"
)

// saidMissing are tags whose names say that they do not exist. No repository has them, whether in
// the catalogue or not.
var saidMissing = words(`nonexistent non-existent nonexistent-tag does-not-exist doesnotexist no-such-tag nosuchtag notfound not-found`)

// neverTagged are tags that no repository in the catalogue has; "sometag" comes from Kubernetes'
// own tutorials.
var neverTagged = append(words(`sometag invalid invalid-tag missing fake bad broken 404`), saidMissing...)

// neverPushed are names of images in tests and tutorials that no registry has.
var neverPushed = words(`nonexistent non-existent nonexistent-image non-existing non-existing-image ` +
	`does-not-exist doesnotexist no-such-image not-found invalid-image webserver`)

// Known returns the built-in models. Callers may change the result.
func Known() []Model {
	all := slices.Concat(webServers(), databases(), bitnamiImages(), applications(), languages(), systems(), testImages())
	for i := range all {
		m := &all[i]
		m.alpine = strings.HasPrefix(m.Repository, "docker.io/library/") && slices.Contains([]Distribution{Debian, DebianFull, Ubuntu}, m.Distribution)
	}
	for _, name := range neverPushed {
		all = append(all, Model{Repository: "docker.io/library/" + name, Absent: true, About: "cannot be pulled"})
	}
	return append(all,
		Model{Repository: "docker.io/non-existing-repo/*", Absent: true, About: "cannot be pulled"},
		Model{Repository: "invalid.registry.k8s.io/*", Unreachable: true, About: "cannot be pulled: the registry has no address"},
		Model{Repository: "gcr.io/k8s-authenticated-test/*", Denied: true, About: "cannot be pulled: the registry asks for a login"},
	)
}

// systems returns the images of distributions. Their program is a shell, which ends because it has
// no input.
func systems() []Model {
	const about = "a shell, which ends at once with 0 as nothing is typed"
	sh := Model{About: about, Distribution: BusyBox, Cmd: words("sh"), Version: "1.37.0", busyBox: true}
	alpine := Model{About: about, Distribution: Alpine, Cmd: words("/bin/sh"), Version: "3.20.3"}
	bash := Model{About: about, Distribution: Debian, Cmd: words("bash")}
	ubuntu := Model{About: about, Distribution: Ubuntu, Cmd: words("/bin/bash")}
	redhat := Model{About: about, Distribution: RedHat, Cmd: words("/bin/bash")}
	ownBash := alpine
	ownBash.Commands = map[string]string{"/usr/local/bin/bash": "bash", "/usr/local/bin/docker-entrypoint.sh": "bash-entrypoint"}
	ownBash.Entrypoint, ownBash.Cmd = words("docker-entrypoint.sh"), words("bash")
	curl := alpine
	curl.About, curl.User, curl.Users, curl.Groups = "curl, which ends with 2 as it is given no URL", "curl_user",
		words("curl_user:x:100:101:Linux:/home/curl_user:/sbin/nologin"), words("curl_group:x:101:curl_user")
	curl.Commands = map[string]string{"/usr/bin/curl": "curl", "/entrypoint.sh": "curl-entrypoint"}
	curl.Entrypoint, curl.Cmd = words("/entrypoint.sh"), words("curl")
	stress := Model{
		About: "stress, which ends with 0 as it is given nothing to do", Distribution: Alpine,
		Commands: map[string]string{"/usr/local/bin/stress": "stress", "/usr/local/bin/stress-ng": "stress"}, Cmd: words("stress"),
	}
	vish := Model{
		About: "takes the memory and the CPUs that -mem-total and -cpus say, until it is stopped", Commands: map[string]string{"/stress": "vish-stress"},
		Entrypoint: words("/stress -logtostderr"), Ports: []int32{},
	}
	pause := Model{
		About: "waits until it is stopped", Commands: map[string]string{"/pause": "pause"}, Entrypoint: words("/pause"),
		User: "65535:65535", Ports: []int32{},
	}
	return []Model{
		sh.in("docker.io/library/busybox"),
		sh.in("registry.k8s.io/busybox"),
		alpine.in("docker.io/library/alpine"),
		bash.in("docker.io/library/debian"),
		ubuntu.in("docker.io/library/ubuntu"),
		redhat.in("docker.io/library/centos"),
		redhat.in("docker.io/library/fedora"),
		redhat.in("docker.io/library/rockylinux"),
		redhat.in("docker.io/library/almalinux"),
		redhat.in("docker.io/library/oraclelinux"),
		ownBash.in("docker.io/library/bash"),
		curl.in("docker.io/curlimages/curl"),
		stress.in("docker.io/polinux/stress"),
		vish.in("docker.io/vish/stress"),
		pause.in("registry.k8s.io/pause"),
		pause.in("docker.io/kubernetes/pause"),
		{About: "waits until it is stopped", Repository: "registry.k8s.io/pause-amd64", Commands: pause.Commands, Entrypoint: pause.Entrypoint, Ports: []int32{}},
		Model{About: "says hello and ends with 0", Commands: map[string]string{"/hello": "hello-world"}, Cmd: words("/hello")}.in("docker.io/library/hello-world"),
	}
}

// languages returns the images of programming languages. Their programs are emulated as far as
// application/language.go does.
func languages() []Model {
	language := func(about, version, path, program string, cmd ...string) Model {
		return Model{About: about, Distribution: DebianFull, Version: version, Commands: map[string]string{path: program}, Cmd: cmd}
	}
	const prompt = ", which ends at once with 0 as nothing is typed"
	perl := language("Perl's debugger"+prompt, "5.40.0", "/usr/local/bin/perl", "perl", "perl5.40.0", "-de0")
	perl.Cmd = words("perl -de0")
	perl.Env, perl.WorkingDir = []string{DefaultPath, "PERL_VERSION={version}"}, "/usr/src/app"

	python := language("Python's prompt"+prompt, "3.13.0", "/usr/local/bin/python3", "python", "python3")
	python.Links = map[string]string{"/usr/local/bin/python": "python3"}
	python.Env = []string{DefaultPath, "LANG=C.UTF-8", "PYTHON_VERSION={version}"}

	node := language("Node's prompt"+prompt, "22.11.0", "/usr/local/bin/node", "node", "node")
	node.Commands["/usr/local/bin/docker-entrypoint.sh"] = "node-entrypoint"
	node.Entrypoint = words("docker-entrypoint.sh")
	node.Users, node.Groups = words("node:x:1000:1000::/home/node:/bin/bash"), words("node:x:1000:")
	node.Env = []string{DefaultPath, "NODE_VERSION={version}"}

	ruby := language("Ruby's prompt"+prompt, "3.3.6", "/usr/local/bin/ruby", "ruby", "irb")
	ruby.Commands["/usr/local/bin/irb"] = "ruby"
	ruby.Env = []string{DefaultPath, "LANG=C.UTF-8", "RUBY_VERSION={version}"}

	php := language("PHP's prompt"+prompt, "8.4.1", "/usr/local/bin/php", "php", "php", "-a")
	php.Commands["/usr/local/bin/docker-php-entrypoint"] = "php-entrypoint"
	php.Entrypoint = words("docker-php-entrypoint")
	php.Env = []string{DefaultPath, "PHP_VERSION={version}"}

	golang := language("a shell"+prompt, "1.23.3", "/usr/local/go/bin/go", "go", "bash")
	golang.WorkingDir, golang.Dirs = "/go", words("/go/bin /go/src")
	golang.Env = []string{"PATH=/go/bin:/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "GOLANG_VERSION={version}", "GOPATH=/go"}

	java := language("Java's prompt"+prompt, "21", "/opt/java/openjdk/bin/java", "java", "jshell")
	java.Commands["/opt/java/openjdk/bin/jshell"] = "java"
	java.Env = []string{
		"PATH=/opt/java/openjdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"JAVA_HOME=/opt/java/openjdk", "JAVA_VERSION={version}",
	}
	return []Model{
		perl.in("docker.io/library/perl"),
		python.in("docker.io/library/python"),
		node.in("docker.io/library/node"),
		ruby.in("docker.io/library/ruby"),
		php.in("docker.io/library/php"),
		golang.in("docker.io/library/golang"),
		java.in("docker.io/library/openjdk"),
		java.in("docker.io/library/eclipse-temurin"),
	}
}

// localhostCertificate stands for the certificate of porter's server, for which tests also ask
// test-webserver.
//
//go:embed localhost.crt
var localhostCertificate string

// testImages returns the images of Kubernetes' own tests and tutorials.
func testImages() []Model {
	const registry = "registry.k8s.io/e2e-test-images/"
	agnhost := Model{
		About: "waits until it is stopped; its subcommands pause, netexec, serve-hostname, liveness, test-webserver, " +
			"porter, entrypoint-tester, mounttest, logs-generator, grpc-health-checking, connect, guestbook, nettest, " +
			"etc-hosts, dns-suffix, dns-server-list and test-service-account-issuer-discovery are emulated",
		Distribution: Alpine, Version: "2.63.0",
		Commands: map[string]string{
			"/agnhost": "agnhost", "/agnhost-2": "agnhost", "/bin/bash": "bash", "/usr/bin/curl": "curl",
			"/coredns": "coredns", "/usr/bin/dig": "dig", "/usr/bin/host": "host",
		},
		Files: map[string]string{"/localhost.crt": localhostCertificate},
		Dirs:  words("/uploads"), Entrypoint: words("/agnhost"), Cmd: words("pause"),
		Users: words("user-defined-in-image:x:1000:1000:Linux:/home/user-defined-in-image:/bin/sh"),
	}
	busybox := Model{About: "a shell, which ends at once with 0 as nothing is typed", Distribution: BusyBox, Cmd: words("sh"), Version: "1.37.0", busyBox: true}
	httpd := apache("/usr/local/apache2")
	httpd.Distribution = Alpine
	nginx := nginxServer()
	nginx.Distribution = Alpine
	perl := languages()[0]
	perl.Version = "5.26.3"
	numbered := busybox
	numbered.busyBox = false // the tags are not releases of BusyBox
	nonroot := numbered
	nonroot.About, nonroot.User, nonroot.Cmd = "runs as user 1234 and ends with 0", "1234", words("id")
	nonewprivs := numbered
	nonewprivs.About, nonewprivs.Commands = "says the number of the user it runs as and ends with 0", map[string]string{"/nnp": "nnp"}
	nonewprivs.User, nonewprivs.Entrypoint, nonewprivs.Cmd = "1000", words("/nnp"), nil
	dns := Model{About: "sleeps until it is stopped", Distribution: DebianFull, Cmd: words("sleep infinity")}
	dns.Commands = map[string]string{"/usr/bin/dig": "dig", "/usr/bin/host": "host", "/usr/bin/nslookup": "nslookup"}
	redis := redisServer()
	redis.Distribution = Alpine
	files := service("test-webserver", "serves its files on port 80", Scratch, 80)
	files.Commands = map[string]string{"/test-webserver": "agnhost"}
	files.Entrypoint = words("/test-webserver test-webserver")
	hostname := service("serve_hostname", "tells the container's name on port 9376", Scratch, 9376)
	hostname.Commands = map[string]string{"/serve_hostname": "agnhost"}
	hostname.Entrypoint = words("/serve_hostname serve-hostname")
	return []Model{
		files.in("registry.k8s.io/test-webserver"),
		hostname.in("registry.k8s.io/serve_hostname"),
		agnhost.in(registry + "agnhost"),
		busybox.in(registry + "busybox"),
		httpd.in(registry + "httpd"),
		nginx.in(registry + "nginx"),
		perl.in(registry + "perl"),
		redis.in(registry + "redis"),
		nonroot.in(registry + "nonroot"),
		nonewprivs.in(registry + "nonewprivs"),
		dns.in(registry + "glibc-dns-testing"),
		dns.in(registry + "jessie-dnsutils"),
		picture("kitten").in(registry + "kitten"),
		picture("nautilus").in(registry + "nautilus"),
		service("liveness", "answers /healthz on port 8080 with 200 for ten seconds, then with 500", BusyBox, 8080).in("registry.k8s.io/liveness"),
	}
}
