package image

import (
	"strings"
)

const nginxPage = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
<style>
html { color-scheme: light dark; }
body { width: 35em; margin: 0 auto;
font-family: Tahoma, Verdana, Arial, sans-serif; }
</style>
</head>
<body>
<h1>Welcome to nginx!</h1>
<p>If you see this page, the nginx web server is successfully installed and
working. Further configuration is required.</p>

<p>For online documentation and support please refer to
<a href="http://nginx.org/">nginx.org</a>.<br/>
Commercial support is available at
<a href="http://nginx.com/">nginx.com</a>.</p>

<p><em>Thank you for using nginx.</em></p>
</body>
</html>
`

// guestbookPage gets the entries from guestbook.php, and adds new ones.
const guestbookPage = `<html ng-app="redis">
  <head>
    <title>Guestbook</title>
  </head>
  <body>
    <h2>Guestbook</h2>
    <form id="form"><input id="entry" placeholder="Messages"> <button>Submit</button></form>
    <div id="entries"></div>
    <script>
      let entries = [];
      const show = () => document.getElementById("entries").replaceChildren(
        ...entries.map(text => Object.assign(document.createElement("div"), {textContent: text})));
      const ask = query => fetch("guestbook.php?" + new URLSearchParams({key: "messages", ...query})).then(answer => answer.json());
      ask({cmd: "get"}).then(answer => { entries = answer.data.split(","); show(); });
      document.getElementById("form").onsubmit = event => {
        event.preventDefault();
        entries.push(document.getElementById("entry").value);
        ask({cmd: "set", value: entries.join(",")}).then(show);
      };
    </script>
  </body>
</html>
`

const nginxConf = `user  nginx;
worker_processes  auto;

error_log  /var/log/nginx/error.log notice;
pid        /var/run/nginx.pid;

events {
    worker_connections  1024;
}

http {
    include       /etc/nginx/mime.types;
    default_type  application/octet-stream;
    access_log  /var/log/nginx/access.log;
    sendfile        on;
    keepalive_timeout  65;
    include /etc/nginx/conf.d/*.conf;
}
`

const nginxSite = `server {
    listen       80;
    server_name  localhost;

    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }

    error_page   500 502 503 504  /50x.html;
    location = /50x.html {
        root   /usr/share/nginx/html;
    }
}
`

func nginxServer() Model {
	return Model{
		About: "serves the files in /usr/share/nginx/html on port 80", Distribution: Debian, Version: "1.27.3",
		Commands: map[string]string{"/usr/sbin/nginx": "nginx", "/usr/bin/curl": "curl", "/docker-entrypoint.sh": "nginx-entrypoint"},
		Files: map[string]string{
			"/usr/share/nginx/html/index.html": nginxPage, "/usr/share/nginx/html/50x.html": "<html><body><h1>An error occurred.</h1></body></html>\n",
			"/etc/nginx/nginx.conf": nginxConf, "/etc/nginx/conf.d/default.conf": nginxSite, "/etc/nginx/mime.types": "types {\n    text/html  html htm;\n}\n",
		},
		Links: map[string]string{"/var/log/nginx/access.log": "/dev/stdout", "/var/log/nginx/error.log": "/dev/stderr"},
		Dirs:  words("/var/cache/nginx /docker-entrypoint.d"),
		Users: words("nginx:x:101:101:nginx:/nonexistent:/bin/false"), Groups: words("nginx:x:101:"),
		Env:        []string{DefaultPath, "NGINX_VERSION={version}"},
		Entrypoint: words("/docker-entrypoint.sh"), Cmd: []string{"nginx", "-g", "daemon off;"},
		StopSignal: "SIGQUIT", Ports: []int32{80}, Paths: words("/ /index.html /50x.html"),
	}
}

// apache returns an image of the Apache server, which is in the directory home.
func apache(home string) Model {
	return Model{
		About: "serves the files in " + home + "/htdocs on port 80", Distribution: Debian, Version: "2.4.62",
		Commands: map[string]string{home + "/bin/httpd": "apache", "/usr/local/bin/httpd-foreground": "apache"},
		Files: map[string]string{
			home + "/htdocs/index.html": "<html><body><h1>It works!</h1></body></html>\n",
			home + "/conf/httpd.conf":   "ServerRoot \"" + home + "\"\nListen 80\nDocumentRoot \"" + home + "/htdocs\"\n",
		},
		Dirs:       []string{home + "/logs"},
		Env:        []string{"PATH=" + home + "/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HTTPD_PREFIX=" + home, "HTTPD_VERSION={version}"},
		WorkingDir: home, Cmd: words("httpd-foreground"), StopSignal: "SIGWINCH", Ports: []int32{80}, Paths: words("/ /index.html"),
	}
}

// service returns an image whose own program is one of the services of
// internal/emulator/image/application.
func service(name, about string, d Distribution, ports ...int32) Model {
	file := "/usr/local/bin/" + name
	if d == Scratch {
		file = "/" + name
	}
	return Model{About: about, Distribution: d, Commands: map[string]string{file: name}, Entrypoint: []string{file}, Ports: ports}
}

// picture returns a service that serves the name of a picture, which is in its files.
//
// Source: kubernetes v1.36 test/images/kitten/Dockerfile and html/kitten/data.json
func picture(name string) Model {
	m := service(name, "serves a picture's address on port 80", Alpine, 80)
	m.Files = map[string]string{"/data.json": "{\"image\": \"" + name + ".jpg\"}\n"}
	return m
}

// behindEntrypoint makes a script start the service, as in the images of databases.
func behindEntrypoint(m Model, cmd ...string) Model {
	m.Commands["/usr/local/bin/docker-entrypoint.sh"] = cmd[0] + "-entrypoint"
	m.Entrypoint, m.Cmd = words("docker-entrypoint.sh"), cmd
	return m
}

func webServers() []Model {
	nginx := nginxServer()
	patterns := words("1.[4-9][0-9]* 1.[1-9][0-9][0-9]* [2-9].* [1-9][0-9]*")
	unprivileged := nginx
	unprivileged.About, unprivileged.User, unprivileged.Ports = "serves the files in /usr/share/nginx/html on port 8080", "101", []int32{8080}
	unprivileged.Files = map[string]string{}
	for at, content := range nginx.Files {
		unprivileged.Files[at] = strings.ReplaceAll(content, "listen       80;", "listen       8080;")
	}
	slim := nginx // with the shell of Debian, but without curl and an entrypoint
	slim.Commands, slim.Entrypoint = map[string]string{"/usr/sbin/nginx": "nginx"}, nil
	slim.StopSignal = ""
	httpd := apache("/usr/local/apache2")
	page := func(name, home, about, body string) Model {
		m := apache(home)
		m.About, m.WorkingDir = about, home+"/htdocs"
		m.Files = map[string]string{home + "/htdocs/index.html": body}
		m.Commands[home+"/bin/apache2"] = "apache"
		m.Commands["/usr/local/bin/apache2-foreground"] = "apache"
		m.Commands["/usr/local/bin/php"] = "php"
		m.Cmd = words("apache2-foreground")
		return m
	}
	frontend := page("gb-frontend", "/var/www", "the guestbook's frontend, on port 80, which keeps its entries in the Redis of redis-leader", guestbookPage)
	for _, name := range words("apache2-foreground apache2 httpd") {
		for at, program := range frontend.Commands {
			if strings.HasSuffix(at, "/"+name) && program == "apache" {
				frontend.Commands[at] = "guestbook-frontend"
			}
		}
	}
	wordpress := page("wordpress", "/var/www", "WordPress' first page, on port 80; there is nothing behind it",
		"<html><head><title>WordPress</title></head><body><h1>WordPress</h1></body></html>\n")
	frontend.unversioned = true
	tomcat := service("catalina", "answers 404 on port 8080, as it has no application", DebianFull, 8080)
	caddy := service("caddy", "answers with a page on port 80", Alpine, 80)
	traefik := service("traefik", "answers 404 on the ports of --entryPoints or port 80, as it has no routes, and /ping with --ping", Alpine, 80)
	traefik.Commands["/entrypoint.sh"] = "traefik-entrypoint"
	traefik.Entrypoint, traefik.Cmd = words("/entrypoint.sh"), words("traefik")
	hpa := page("hpa-example", "/var/www", "answers OK! on port 80", "OK!")
	return []Model{
		nginx.in("docker.io/library/nginx", patterns...),
		slim.in("registry.k8s.io/nginx-slim"),
		slim.in("registry.k8s.io/nginx"),
		unprivileged.in("docker.io/nginxinc/nginx-unprivileged"),
		service("nginx-hello", "tells the container's name on port 80", Alpine, 80).in("docker.io/nginxdemos/hello"),
		httpd.in("docker.io/library/httpd", words("[3-9]* 1.[4-9]* 2.[5-9]*")...),
		frontend.in("gcr.io/google-samples/gb-frontend"),
		frontend.in("gcr.io/google-samples/gb-frontend-php"),
		wordpress.in("docker.io/library/wordpress"),
		hpa.in("registry.k8s.io/hpa-example"),
		behind(tomcat, "/usr/local/tomcat/bin/catalina.sh", "run").in("docker.io/library/tomcat"),
		behind(caddy, "/usr/bin/caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile").in("docker.io/library/caddy"),
		traefik.in("docker.io/library/traefik"),
	}
}

// behind moves a service's program to another path, from which it starts with arguments.
func behind(m Model, file string, args ...string) Model {
	for at, name := range m.Commands {
		m.Commands = map[string]string{file: name, at: name}
	}
	m.Entrypoint, m.Cmd = nil, append([]string{file}, args...)
	return m
}

const redisAbout = "a Redis on port 6379, or that of --port, with strings, lists, hashes, sets and sorted sets; redis-cli talks to it"

func redisServer() Model {
	m := service("redis-server", redisAbout, Debian, 6379)
	m.Commands["/usr/local/bin/redis-cli"] = "redis-cli"
	m.Version, m.WorkingDir, m.Dirs = "7.4.1", "/data", words("/data")
	m.Users, m.Groups = words("redis:x:999:999::/home/redis:/bin/sh"), words("redis:x:999:")
	m.Env = []string{DefaultPath, "REDIS_VERSION={version}"}
	return behindEntrypoint(m, "redis-server")
}

func plainValkey() Model {
	m := redisServer()
	m.Commands["/usr/local/bin/valkey-server"], m.Commands["/usr/local/bin/valkey-cli"] = "redis-server", "redis-cli"
	m.Cmd, m.Version, m.Env = words("valkey-server"), "8.0.1", []string{DefaultPath, "REDIS_VERSION={version}", "VALKEY_VERSION={version}"}
	return m
}

func databases() []Model {
	database := func(program, about, version, data string, d Distribution, port int32, clients string) Model {
		m := service(program, about, d, port)
		m.Version, m.Dirs = version, []string{data}
		for _, name := range words(clients) {
			m.Commands["/usr/local/bin/"+name] = name
		}
		return behindEntrypoint(m, program)
	}
	postgres := database("postgres",
		"a PostgreSQL that takes connections on port 5432 after three seconds and answers pg_isready, but no SQL; it wants POSTGRES_PASSWORD",
		"17.2", "/var/lib/postgresql/data", Debian, 5432, "psql pg_isready")
	postgres.StopSignal = "SIGINT"
	postgres.Users, postgres.Groups = words("postgres:x:999:999::/var/lib/postgresql:/bin/bash"), words("postgres:x:999:")
	postgres.Env = []string{
		DefaultPath + ":/usr/lib/postgresql/17/bin", "LANG=en_US.utf8", "PG_VERSION={version}", "PGDATA=/var/lib/postgresql/data",
	}
	mysql := database("mysqld",
		"a MySQL that takes connections on port 3306 after eight seconds and answers mysqladmin ping, but no SQL; it wants MYSQL_ROOT_PASSWORD",
		"9.1.0", "/var/lib/mysql", RedHat, 3306, "mysql mysqladmin")
	mysql.Users = words("mysql:x:999:999::/var/lib/mysql:/bin/bash")
	mysql.Env = []string{DefaultPath, "MYSQL_VERSION={version}"}
	mariadb := database("mariadbd",
		"a MariaDB that takes connections on port 3306 after five seconds and answers mariadb-admin ping, but no SQL; it wants MARIADB_ROOT_PASSWORD",
		"11.6.2", "/var/lib/mysql", Ubuntu, 3306, "mariadb mariadb-admin healthcheck.sh")
	mariadb.Env = []string{DefaultPath, "MARIADB_VERSION={version}"}
	memcached := database("memcached", "a memcached that takes connections on port 11211 and answers nothing", "1.6.32", "/run/memcached", Debian, 11211, "")
	memcached.User, memcached.Users = "memcache", words("memcache:x:11211:11211::/home/memcache:/bin/sh")
	mongo := database("mongod", "a MongoDB that takes connections on port 27017 after a second and answers nothing", "8.0.3", "/data/db", Ubuntu, 27017, "")
	rabbit := database("rabbitmq-server", "a RabbitMQ that takes connections on port 5672 after six seconds and answers nothing",
		"4.0.4", "/var/lib/rabbitmq", Ubuntu, 5672, "")
	search := database("elasticsearch", "an Elasticsearch that answers GET / on port 9200 after ten seconds",
		"8.16.0", "/usr/share/elasticsearch/data", Ubuntu, 9200, "")
	cassandra := service("cassandra", "a Cassandra that takes connections on port 9042 after twenty seconds and answers nothing", Debian, 9042)
	guestbook := redisServer()
	guestbook.unversioned = true
	follower := guestbook
	follower.About, follower.Cmd = "a Redis on port 6379 that copies the one at redis-leader", words("redis-server --replicaof redis-leader 6379")
	slave := guestbook
	slave.About, slave.Cmd = "a Redis on port 6379 that copies the one at redis-master", words("redis-server --slaveof redis-master 6379")
	worker := service("redis-worker", "the worker of the Job with a work queue in Kubernetes' documents, "+
		"which takes items from the list job2 of the Service redis", DebianFull)
	worker.Ports = []int32{}
	etcd := service("etcd", "an etcd that answers /health and /version on port 2379, and nothing else", Distroless, 2379)
	return []Model{
		redisServer().in("docker.io/library/redis"),
		plainValkey().in("docker.io/valkey/valkey"),
		redisServer().in("registry.k8s.io/redis"),
		follower.in("gcr.io/google-samples/gb-redis-follower"),
		slave.in("gcr.io/google-samples/gb-redisslave"),
		postgres.in("docker.io/library/postgres"),
		mysql.in("docker.io/library/mysql"),
		mariadb.in("docker.io/library/mariadb"),
		memcached.in("docker.io/library/memcached"),
		mongo.in("docker.io/library/mongo"),
		rabbit.in("docker.io/library/rabbitmq"),
		search.in("docker.io/library/elasticsearch"),
		cassandra.in("docker.io/library/cassandra"),
		cassandra.in("gcr.io/google-samples/cassandra"),
		etcd.in("registry.k8s.io/etcd"),
		worker.in("gcr.io/myproject/job-wq-2"),
	}
}

func applications() []Model {
	bootcamp := service("kubernetes-bootcamp", "tells the container's name and its version on port 8080", Debian, 8080)
	hello := service("hello-app", "says hello, its version and the container's name on port 8080", Scratch, 8080)
	hello.Version, hello.Env = "1.0", []string{DefaultPath, "APP_VERSION={version}.0"}
	echo := service("echoserver", "tells the request back on port 8080", Debian, 8080)
	text := service("http-echo", "answers with the text of -text, on the port of -listen or 5678", Scratch, 5678)
	agent := service("fluentd", "takes connections on port 24224 and answers nothing", Debian, 24224)
	podinfo := service("podinfo", "tells the container's name on port 9898, or that of --port, and answers /healthz and /readyz", Alpine, 9898)
	podinfo.Commands = map[string]string{"/home/app/podinfo": "podinfo", "/usr/local/bin/podcli": "podcli"}
	podinfo.Entrypoint, podinfo.Cmd = nil, words("./podinfo")
	podinfo.WorkingDir, podinfo.User, podinfo.Users, podinfo.Groups = "/home/app", "app", words("app:x:100:101::/home/app:/sbin/nologin"), words("app:x:101:")
	names := service("coredns", "a name server on the ports of its Corefile; "+
		"its plugins hosts, kubernetes, forward, log, health and ready are emulated", Distroless, 53)
	names.Commands, names.Entrypoint, names.User = map[string]string{"/coredns": "coredns"}, words("/coredns"), "65532"
	exporter := service("node_exporter", "answers /metrics on port 9100 with a few figures", BusyBox, 9100)
	exporter.User, exporter.Ports = "nobody", []int32{9100}
	return []Model{
		bootcamp.in("gcr.io/google-samples/kubernetes-bootcamp", words("v[3-9]* v[1-9][0-9]*")...),
		bootcamp.in("docker.io/jocatalin/kubernetes-bootcamp", words("v[3-9]* v[1-9][0-9]*")...),
		hello.in("gcr.io/google-samples/hello-app", words("[3-9]* [1-9][0-9]*")...),
		hello.in("gcr.io/google-samples/node-hello"),
		echo.in("registry.k8s.io/echoserver"),
		echo.in("docker.io/ealen/echo-server"),
		text.in("docker.io/hashicorp/http-echo"),
		service("whoami", "tells the container's name and the request on port 80", Scratch, 80).in("docker.io/traefik/whoami"),
		podinfo.in("docker.io/stefanprodan/podinfo"),
		podinfo.in("ghcr.io/stefanprodan/podinfo"),
		service("kuard", "answers / on port 8080, and /healthy and /ready", Scratch, 8080).in("gcr.io/kuar-demo/kuard-amd64"),
		names.in("registry.k8s.io/coredns/coredns"),
		names.in("docker.io/coredns/coredns"),
		service("goproxy", "takes connections on port 8080", Scratch, 8080).in("registry.k8s.io/goproxy"),
		agent.in("docker.io/fluent/fluentd"),
		agent.in("quay.io/fluentd_elasticsearch/fluentd"),
		agent.in("registry.k8s.io/fluentd-elasticsearch"),
		service("fluent-bit", "answers / on port 2020", Distroless, 2020).in("docker.io/fluent/fluent-bit"),
		exporter.in("docker.io/prom/node-exporter"),
		exporter.in("quay.io/prometheus/node-exporter"),
		service("prometheus", "answers /-/healthy and /-/ready on port 9090, and nothing else", BusyBox, 9090).in("docker.io/prom/prometheus"),
		service("grafana", "answers /api/health on port 3000, and nothing else", Alpine, 3000).in("docker.io/grafana/grafana"),
	}
}
