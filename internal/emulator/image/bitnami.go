package image

import (
	"embed"
	"maps"
	"slices"
	"strings"
)

// bitnamiScripts start the servers of Bitnami's images: the scripts in a server's directory run
// after those that all servers share.
//
//go:embed bitnami
var bitnamiScripts embed.FS

func bitnamiScript(name string) string {
	text, _ := bitnamiScripts.ReadFile("bitnami/" + name) // TestBitnami runs all of them
	return string(text)
}

// bitnami returns an image of Bitnami's: a plain image's programs in Bitnami's directories, which
// run as user 1001 behind scripts that know Bitnami's variables. The scripts are those of the
// directory script. renames are pairs of an old and a new name to replace in them.
//
// Source: github.com/bitnami/containers, bitnami/NAME/*/debian-12/{Dockerfile,rootfs/opt/bitnami/scripts}
// Differs: the scripts are Rowlock's own. They read only the variables that they name, and print
// fewer messages at the start.
func bitnami(name, script, about string, plain Model, port int32, renames ...string) Model {
	home, scripts := "/opt/bitnami/"+name, "/opt/bitnami/scripts/"
	rename := strings.NewReplacer(append(renames, "@name@", name)...)
	read := func(file string) string { return rename.Replace(bitnamiScript(file)) }
	m := Model{
		About: about, Distribution: Debian, Version: plain.Version, User: "1001", StopSignal: plain.StopSignal, Ports: []int32{port},
		Commands: map[string]string{"/usr/bin/curl": "curl", "/usr/bin/ps": "ps"},
		Files: map[string]string{
			scripts + "lib.sh":                bitnamiScript("lib.sh"),
			scripts + name + "-env.sh":        read(script + "/env.sh"),
			scripts + name + "/setup.sh":      read(script + "/setup.sh"),
			scripts + name + "/entrypoint.sh": read("entrypoint.sh"),
			scripts + name + "/run.sh":        read("run.sh") + read(script+"/run.sh"),
		},
		Links:      map[string]string{"/entrypoint.sh": scripts + name + "/entrypoint.sh", "/run.sh": scripts + name + "/run.sh"},
		Entrypoint: []string{scripts + name + "/entrypoint.sh"}, Cmd: []string{scripts + name + "/run.sh"},
		Env: []string{
			"PATH=/opt/bitnami/common/bin:" + home + "/bin:" + home + "/sbin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/",
			"APP_VERSION={version}", "BITNAMI_APP_NAME=" + name, "OS_ARCH=amd64", "OS_FLAVOUR=debian-12", "OS_NAME=linux",
		},
		writable: []string{home + "/tmp", "/bitnami/" + name, "/bitnami/" + name + "/data", "/docker-entrypoint-initdb.d"},
	}
	for _, lib := range words("liblog libfs libos libvalidations libfile libbitnami") {
		m.Links[scripts+lib+".sh"] = "lib.sh"
	}
	for at, program := range plain.Commands {
		if !strings.HasSuffix(program, "entrypoint") && program != "curl" {
			m.Commands[home+"/bin/"+at[strings.LastIndexByte(at, '/')+1:]] = program
		}
	}
	for _, variable := range plain.Env {
		if strings.HasSuffix(variable, "_VERSION={version}") {
			m.Env = append(m.Env, variable)
		}
	}
	return m.in("docker.io/bitnami/" + name)
}

const bitnamiNginxConf = `worker_processes  auto;
error_log  "/opt/bitnami/nginx/logs/error.log";
pid        "/opt/bitnami/nginx/tmp/nginx.pid";

events {
    worker_connections  1024;
}

http {
    include       mime.types;
    default_type  application/octet-stream;
    access_log    "/opt/bitnami/nginx/logs/access.log";
    include  "/opt/bitnami/nginx/conf/server_blocks/*.conf";

    server {
        listen  8080;
        root    "/opt/bitnami/nginx/html";
        include "/opt/bitnami/nginx/conf/bitnami/*.conf";

        location /status {
            stub_status on;
        }
    }
}
`

// bitnamiPages adds to a web server's image its configuration and its pages, which are in /app.
func bitnamiPages(m Model, name, pages string, conf, files map[string]string) Model {
	home := "/opt/bitnami/" + name
	m.WorkingDir = "/app"
	m.Links[home+"/"+pages] = "/app"
	m.writable = append(m.writable, "/app", home+"/conf", home+"/conf/bitnami", home+"/conf/server_blocks", home+"/conf/vhosts", home+"/logs")
	m.Links[home+"/logs/access.log"], m.Links[home+"/logs/error.log"] = "/dev/stdout", "/dev/stderr"
	maps.Copy(m.Files, files)
	for file, text := range conf {
		m.Files[home+"/conf/"+file], m.Files[home+"/conf.default/"+file] = text, text
	}
	return m
}

// bitnamiImages returns those of Bitnami's images that have a plain image to build on.
func bitnamiImages() []Model {
	plain := func(all []Model, name string) Model {
		return all[slices.IndexFunc(all, func(m Model) bool { return m.Repository == "docker.io/library/"+name })]
	}
	data := databases()
	mysql, mariadb, postgres := plain(data, "mysql"), plain(data, "mariadb"), plain(data, "postgres")

	nginx := bitnami("nginx", "nginx", "serves the files in /app on port 8080, or that of NGINX_HTTP_PORT_NUMBER", nginxServer(), 8080)
	nginx.Commands["/opt/bitnami/nginx/sbin/nginx"] = "nginx"
	delete(nginx.Commands, "/opt/bitnami/nginx/bin/nginx")
	nginx = bitnamiPages(nginx, "nginx", "html", map[string]string{"nginx.conf": bitnamiNginxConf, "mime.types": "types {\n    text/html  html htm;\n}\n"},
		map[string]string{"/app/index.html": nginxPage, "/app/50x.html": "<html><body><h1>An error occurred.</h1></body></html>\n"})

	apache := bitnami("apache", "apache", "serves the files in /app on port 8080, or that of APACHE_HTTP_PORT_NUMBER", apache("/opt/bitnami/apache"), 8080)
	apache = bitnamiPages(apache, "apache", "htdocs",
		map[string]string{
			"httpd.conf": "ServerRoot \"/opt/bitnami/apache\"\nListen 8080\nDocumentRoot \"/opt/bitnami/apache/htdocs\"\n",
		},
		map[string]string{"/app/index.html": "<html><body><h1>It works!</h1></body></html>\n"})

	const conf = "port 6379\ndir /bitnami/redis/data\nappendonly yes\n"
	redis := bitnami("redis", "redis", redisAbout+"; it wants REDIS_PASSWORD or ALLOW_EMPTY_PASSWORD", redisServer(), 6379)
	valkeyServer := plainValkey()
	valkey := bitnami("valkey", "redis", redisAbout+"; it wants VALKEY_PASSWORD or ALLOW_EMPTY_PASSWORD", valkeyServer, 6379, "REDIS", "VALKEY", "redis", "valkey")
	for _, m := range []Model{redis, valkey} {
		name := strings.TrimPrefix(m.Repository, "docker.io/bitnami/")
		m.Files["/opt/bitnami/"+name+"/etc.default/"+name+".conf"] = strings.ReplaceAll(conf, "redis", name)
	}
	redis.writable, valkey.writable = append(redis.writable, "/opt/bitnami/redis/etc"), append(valkey.writable, "/opt/bitnami/valkey/etc")

	shell := Model{
		About: "a shell, which ends at once with 0 as nothing is typed", Distribution: Debian, Cmd: words("/bin/bash"),
		Commands: map[string]string{"/usr/bin/curl": "curl", "/usr/bin/ps": "ps"},
	}
	return []Model{
		nginx, apache, redis, valkey,
		bitnami("postgresql", "postgresql",
			"a PostgreSQL on port 5432, or that of POSTGRESQL_PORT_NUMBER, as postgres is one; "+
				"it wants POSTGRESQL_PASSWORD, POSTGRES_PASSWORD or ALLOW_EMPTY_PASSWORD",
			postgres, 5432),
		bitnami("mysql", "mysql",
			"a MySQL on port 3306, or that of MYSQL_PORT_NUMBER, as mysql is one; "+
				"it wants MYSQL_ROOT_PASSWORD or ALLOW_EMPTY_PASSWORD",
			mysql, 3306),
		bitnami("mariadb", "mysql",
			"a MariaDB on port 3306, or that of MARIADB_PORT_NUMBER, as mariadb is one; "+
				"it wants MARIADB_ROOT_PASSWORD or ALLOW_EMPTY_PASSWORD",
			mariadb, 3306, "MYSQL_ALLOW", "MARIADB_ALLOW", "MYSQL", "MARIADB", "mysqld", "mariadbd"),
		bitnami("memcached", "memcached",
			"a memcached that takes connections on port 11211, or that of MEMCACHED_PORT_NUMBER, and answers nothing",
			plain(data, "memcached"), 11211),
		shell.in("docker.io/bitnami/os-shell"),
		shell.in("docker.io/bitnami/bitnami-shell"),
		shell.in("docker.io/bitnami/minideb"),
	}
}
