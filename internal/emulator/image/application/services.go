package application

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

const (
	caddyPage           = "<!DOCTYPE html>\n<html>\n<head><title>Caddy works!</title></head>\n<body><h1>Caddy works!</h1></body>\n</html>\n"
	nodeExporterPage    = "<html><body><h1>Node Exporter</h1><a href=\"/metrics\">Metrics</a></body></html>\n"
	nodeExporterMetrics = "# HELP node_exporter_build_info A metric with a constant '1' value.\n" +
		"# TYPE node_exporter_build_info gauge\nnode_exporter_build_info{version=\"1.8.2\"} 1\n"
)

// services are the built-in services for a command line, by the name of the program.
var services = map[string]func(args []string) Service{
	"postgres":  postgres,
	"mysqld":    mysql,
	"mariadbd":  mariadb,
	"memcached": memcached,
	"mongod": listening(27017, time.Second, stopsClean,
		`{"t":{"$date":"{time:2006-01-02T15:04:05.000Z07:00}"},"s":"I",  "c":"NETWORK",  "id":23016,   `+
			`"ctx":"listener","msg":"Waiting for connections","attr":{"port":27017,"ssl":"off"}}`),
	"rabbitmq-server": listening(5672, 6*time.Second, stopsClean,
		"{time:2006-01-02 15:04:05.000000Z07:00} [info] <0.9.0> Server startup complete; 4 plugins started."),
	"cassandra": listening(9042, 20*time.Second, stopsAsJVM, "INFO  [main] {time:2006-01-02 15:04:05,000} "+
		"PipelineConfigurator.java:131 - Starting listening for CQL clients on /0.0.0.0:9042 (unencrypted)..."),
	"fluentd":             listening(24224, time.Second, stopsClean, "{time:2006-01-02 15:04:05 -0700} [info]: #0 fluentd worker is now running worker=0"),
	"goproxy":             listening(8080, 0, stopsAsGo, ""),
	"elasticsearch":       elasticsearch,
	"etcd":                etcd,
	"kubernetes-bootcamp": bootcamp,
	"hello-app":           helloApp,
	"echoserver":          echoserver,
	"http-echo":           httpEcho,
	"whoami":              whoami,
	"podinfo":             podinfo,
	"kuard":               kuard,
	"nginx-hello":         nginxHello,
	"catalina":            catalina,
	"caddy":               always(80, stopsClean, Reply{Path: "*", Type: "text/html; charset=utf-8", Body: caddyPage}),
	"traefik":             traefik,
	"kitten":              always(80, stopsAsGo, Reply{Path: "/data.json", Type: "application/json", Body: "{\"image\": \"kitten.jpg\"}\n"}),
	"nautilus":            always(80, stopsAsGo, Reply{Path: "/data.json", Type: "application/json", Body: "{\"image\": \"nautilus.jpg\"}\n"}),
	"liveness":            func([]string) Service { return liveness(8080) },
	"fluent-bit": always(2020, stopsClean,
		Reply{Path: "/", Type: "application/json", Body: `{"fluent-bit":{"version":"3.2.0","edition":"Community"}}`},
		Reply{Path: "/api/v1/health", Body: "ok\n"}),
	"node_exporter": always(9100, stopsClean,
		Reply{Path: "/", Type: "text/html; charset=utf-8", Body: nodeExporterPage},
		Reply{Path: "/metrics", Body: nodeExporterMetrics}),
	"prometheus": always(9090, stopsClean,
		Reply{Path: "/-/healthy", Body: "Prometheus Server is Healthy.\n"},
		Reply{Path: "/-/ready", Body: "Prometheus Server is Ready.\n"}),
	"grafana": always(3000, stopsClean, Reply{Path: "/api/health", Type: "application/json", Body: "{\n  \"database\": \"ok\"\n}"}),
}

// Built returns the built-in service that a command line starts; ok is false if none exists of
// that name.
func Built(name string, args []string) (s Service, ok bool) {
	if name == "redis-server" {
		return redisService(args)
	}
	make, ok := services[name]
	if !ok {
		return Service{}, false
	}
	return make(args), true
}

// portOf returns the port that one of the flags names, or the usual one.
func portOf(args []string, usual int, flags ...string) int {
	for _, name := range flags {
		if n, err := strconv.Atoi(flag(args, name, "")); err == nil && n > 0 && n < 1<<16 {
			return n
		}
	}
	return usual
}

func listening(port int, after time.Duration, stops map[string]End, ready string) func([]string) Service {
	return func([]string) Service {
		s := Service{Ports: []Port{{Number: port, After: after}}, Signals: stops}
		if ready != "" {
			s.Output = []Line{{After: after, Text: ready}}
		}
		return s
	}
}

func always(port int, stops map[string]End, replies ...Reply) func([]string) Service {
	return func([]string) Service { return Service{Ports: []Port{{Number: port, HTTP: replies}}, Signals: stops} }
}

func postgres(args []string) Service {
	port := portOf(args, 5432, "p", "port")
	const at = "{time:2006-01-02 15:04:05.000 MST} [1] LOG:  "
	const down = at + "received fast shutdown request\n" + at + "aborting any active transactions\n" + at + "database system is shut down\n"
	const ready = 3 * time.Second
	return Service{
		Needs: []Need{{OneOf: words("POSTGRES_PASSWORD POSTGRES_PASSWORD_FILE POSTGRES_HOST_AUTH_METHOD"), Code: 1,
			Error: `Error: Database is uninitialized and superuser password is not specified.
       You must specify POSTGRES_PASSWORD to a non-empty value for the
       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".

       You may also use "POSTGRES_HOST_AUTH_METHOD=trust" to allow all
       connections without a password. This is *not* recommended.

       See PostgreSQL documentation about "trust":
       https://www.postgresql.org/docs/current/auth-trust.html
`}},
		Output: []Line{
			{Text: "The files belonging to this database system will be owned by user \"postgres\"."},
			{After: ready, Text: "\nPostgreSQL init process complete; ready for start up.\n"},
			{After: ready, Text: at + `listening on IPv4 address "0.0.0.0", port ` + strconv.Itoa(port), Stderr: true},
			{After: ready, Text: at + "database system is ready to accept connections", Stderr: true},
		},
		Ports:   []Port{{Number: port, After: ready}},
		Signals: map[string]End{"TERM": {Text: strings.ReplaceAll(down, "fast", "smart")}, "INT": {Text: down}, "QUIT": {Code: 2}},
	}
}

// mySQL returns a server of the family that becomes ready after some time.
func mySQL(args []string, name, version, variable, prefix string, ready time.Duration) Service {
	port := portOf(args, 3306, "P", "port")
	const at = "{time:2006-01-02T15:04:05.000000Z07:00} 0 [System] [MY-010931] [Server] "
	const entry = "{time:2006-01-02 15:04:05Z07:00} [Note] [Entrypoint]: "
	needs := []string{prefix + "_ROOT_PASSWORD", prefix + "_ROOT_PASSWORD_FILE", prefix + "_ALLOW_EMPTY_PASSWORD", prefix + "_RANDOM_ROOT_PASSWORD"}
	if prefix == "MARIADB" {
		needs = append(needs, words("MARIADB_ALLOW_EMPTY_ROOT_PASSWORD MYSQL_ROOT_PASSWORD MYSQL_ALLOW_EMPTY_PASSWORD MYSQL_RANDOM_ROOT_PASSWORD")...)
	}
	return Service{
		Needs: []Need{{OneOf: needs, Code: 1, Error: "[ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n" +
			"    You need to specify one of the following as an environment variable:\n    - " + prefix +
			"_ROOT_PASSWORD\n    - " + variable + "\n    - " + prefix + "_RANDOM_ROOT_PASSWORD\n"}},
		Output: []Line{
			{Text: entry + "Entrypoint script for " + name + " Server {env:" + version + "} started."},
			{Text: entry + "Initializing database files"},
			{After: ready, Text: entry + "MySQL init process done. Ready for start up."},
			{After: ready, Stderr: true, Text: at + "/usr/sbin/" + strings.ToLower(name) + "d: ready for connections. " +
				"Version: '{env:" + version + "}'  socket: '/var/run/mysqld/mysqld.sock'  port: " + strconv.Itoa(port)},
		},
		Ports:   []Port{{Number: port, After: ready}},
		Signals: map[string]End{"TERM": {After: time.Second}, "INT": {After: time.Second}, "QUIT": {After: time.Second}},
	}
}

func mysql(args []string) Service {
	return mySQL(args, "MySQL", "MYSQL_VERSION", "MYSQL_ALLOW_EMPTY_PASSWORD", "MYSQL", 8*time.Second)
}

func mariadb(args []string) Service {
	return mySQL(args, "MariaDB", "MARIADB_VERSION", "MARIADB_ALLOW_EMPTY_ROOT_PASSWORD", "MARIADB", 5*time.Second)
}

func memcached(args []string) Service {
	return Service{
		Ports:   []Port{{Number: portOf(args, 11211, "p", "port")}},
		Signals: map[string]End{"TERM": {Text: "Signal handled: Terminated.\n"}, "INT": {Text: "Signal handled: Interrupt.\n"}},
	}
}

func elasticsearch([]string) Service {
	const ready = 10 * time.Second
	return Service{
		Output: []Line{{After: ready, Text: `{"@timestamp":"{time:2006-01-02T15:04:05.000Z07:00}", "log.level": "INFO", ` +
			`"message":"started {{hostname}}", "service.name":"ES_ECS"}`}},
		Ports: []Port{{Number: 9200, After: ready, HTTP: []Reply{
			{Path: "/", Type: "application/json", Body: "{\n  \"name\" : \"{hostname}\",\n" +
				"  \"cluster_name\" : \"docker-cluster\",\n  \"tagline\" : \"You Know, for Search\"\n}\n"},
			{Path: "/_cluster/health", Type: "application/json", Body: `{"cluster_name":"docker-cluster","status":"green","timed_out":false,"number_of_nodes":1}`},
		}}},
		Signals: stopsAsJVM,
	}
}

func etcd([]string) Service {
	return Service{
		Output: []Line{{Stderr: true, Text: `{"level":"info","ts":"{time:2006-01-02T15:04:05.000000Z07:00}",` +
			`"caller":"embed/serve.go:187","msg":"serving client traffic insecurely; this is strongly discouraged!"}`}},
		Ports: []Port{{Number: 2379, HTTP: []Reply{
			{Path: "/health", Type: "application/json", Body: `{"health":"true","reason":""}`}, {Path: "/livez", Body: "ok\n"}, {Path: "/readyz", Body: "ok\n"},
			{Path: "/version", Type: "application/json", Body: `{"etcdserver":"3.6.8","etcdcluster":"3.6.0"}`},
		}}, {Number: 2380}},
		Signals: map[string]End{"TERM": {}, "INT": {}},
	}
}

// bootcamp is a Node program. These do not handle TERM, so that the first process of a container
// ignores it.
func bootcamp([]string) Service {
	return Service{
		Output: []Line{{Text: "Kubernetes Bootcamp App Started At: {time:2006-01-02T15:04:05.000Z07:00} | Running On:  {hostname} \n"}},
		Ports: []Port{{Number: 8080, Log: "Running On: {hostname} | Total Requests: 1 | App Uptime: {seconds} seconds | " +
			"Log Time: {time:2006-01-02T15:04:05.000Z07:00}",
			HTTP: []Reply{{Path: "*", Body: "Hello Kubernetes bootcamp! | Running on: {hostname} | v=1\n"}}}},
	}
}

func helloApp([]string) Service {
	return Service{
		Output: []Line{{Text: "{time:2006/01/02 15:04:05} Server listening on port 8080", Stderr: true}},
		Ports: []Port{{Number: 8080, Log: "{time:2006/01/02 15:04:05} Serving request: {path}",
			HTTP: []Reply{{Path: "*", Body: "Hello, world!\nVersion: {env:APP_VERSION}\nHostname: {hostname}\n"}}}},
		Signals: stopsAsGo,
	}
}

func echoserver([]string) Service {
	return always(8080, stopsClean, Reply{Path: "*", Body: "\n\nHostname: {hostname}\n\nRequest Information:\n" +
		"\tmethod={method}\n\trequest_uri=http://{host}:8080{path}\n\nRequest Headers:\n{headers}\n\n"})(nil)
}

// httpEcho is hashicorp/http-echo, which needs a text.
func httpEcho(args []string) Service {
	listen := flag(args, "listen", ":5678")
	port, err := strconv.Atoi(listen[strings.LastIndex(listen, ":")+1:])
	if err != nil {
		port = 5678
	}
	s := Service{
		Output: []Line{{Text: "{time:2006/01/02 15:04:05} [INFO] server is listening on " + listen, Stderr: true}},
		Ports: []Port{{Number: port, Log: "{time:2006/01/02 15:04:05} {host} \"{method} {path} HTTP/1.1\" 200", HTTP: []Reply{
			{Path: "/health", Type: "application/json", Body: "{\"status\":\"ok\"}\n"}, {Path: "*", Body: "{arg:text}\n"},
		}}},
		Signals: stopsClean,
	}
	if flag(args, "text", "") == "" {
		s.Needs = []Need{{OneOf: []string{"ECHO_TEXT"}, Error: "Missing -text option!\n", Code: 127}}
		s.Ports[0].HTTP[1].Body = "{env:ECHO_TEXT}\n"
	}
	return s
}

func whoami(args []string) Service {
	port, err := strconv.Atoi(flag(args, "port", "80"))
	if err != nil {
		port = 80
	}
	return Service{
		Output: []Line{{Text: "{time:2006/01/02 15:04:05} Starting up on port " + strconv.Itoa(port), Stderr: true}},
		Ports: []Port{{Number: port, HTTP: []Reply{
			{Path: "/health", Body: ""}, {Path: "/api", Type: "application/json", Body: `{"hostname":"{hostname}"}`},
			{Path: "*", Body: "Hostname: {hostname}\n{method} {path} HTTP/1.1\nHost: {host}\n{headers}\n"},
		}}},
		Signals: stopsAsGo,
	}
}

func podinfo(args []string) Service {
	port, err := strconv.Atoi(flag(args, "port", "9898"))
	if err != nil {
		port = 9898
	}
	log := `{"level":"info","ts":"{time:2006-01-02T15:04:05.000Z07:00}","caller":"podinfo/main.go:153",` +
		`"msg":"Starting podinfo","port":"` + strconv.Itoa(port) + `"}`
	s := Service{
		Output: []Line{{Text: log}},
		Ports: []Port{{Number: port, HTTP: []Reply{
			{Path: "/healthz", Type: "application/json", Body: "{\n  \"status\": \"OK\"\n}"},
			{Path: "/readyz", Type: "application/json", Body: "{\n  \"status\": \"OK\"\n}"},
			{Path: "/", Type: "application/json", Body: "{\n  \"hostname\": \"{hostname}\",\n  \"message\": \"greetings from podinfo\"\n}"},
		}}},
		Signals: map[string]End{"TERM": {After: 3 * time.Second}, "INT": {After: 3 * time.Second}},
	}
	for _, name := range []string{"port-metrics", "grpc-port"} { // off if not given or 0
		if n, err := strconv.Atoi(flag(args, name, "0")); err == nil && n > 0 && n != port {
			extra := Port{Number: n}
			if name == "port-metrics" {
				extra.HTTP = []Reply{{Path: "/metrics", Body: "# TYPE process_start_time_seconds gauge\n"}}
			}
			s.Ports = append(s.Ports, extra)
		}
	}
	return s
}

// traefik has no routes. It listens at the addresses of --entryPoints.NAME.address, or on port 80.
// With --ping it answers /ping on the entry point "traefik", which is port 8080 by default.
// Source: doc.traefik.io/traefik, reference "EntryPoints" and "Ping"
func traefik(args []string) Service {
	listens, ping := map[string]int{}, ""
	for _, arg := range args[min(1, len(args)):] {
		key, value, has := strings.Cut(strings.ToLower(strings.TrimLeft(arg, "-")), "=")
		name, isAddress := strings.CutSuffix(strings.TrimPrefix(key, "entrypoints."), ".address")
		switch {
		case isAddress && strings.HasPrefix(key, "entrypoints."):
			value, protocol, _ := strings.Cut(value, "/")
			if n, err := strconv.Atoi(value[strings.LastIndexByte(value, ':')+1:]); err == nil && protocol != "udp" {
				listens[name] = n
			}
		case key == "ping" && (!has || value == "true"):
			ping = cmp.Or(ping, "traefik")
		case key == "ping.entrypoint":
			ping = value
		case key == "api.insecure" && (!has || value == "true"):
			if listens["traefik"] == 0 {
				listens["traefik"] = 8080
			}
		}
	}
	if len(listens) == 0 || len(listens) == 1 && listens["traefik"] != 0 {
		listens["http"] = 80
	}
	if ping == "traefik" && listens[ping] == 0 {
		listens[ping] = 8080
	}
	s := Service{Signals: stopsClean}
	for _, name := range slices.Sorted(maps.Keys(listens)) {
		replies := []Reply{{Path: "*", Status: 404, Body: "404 page not found\n"}}
		if name == ping {
			replies = append([]Reply{{Path: "/ping", Body: "OK"}}, replies...)
		}
		s.Ports = append(s.Ports, Port{Number: listens[name], HTTP: replies})
	}
	return s
}

func kuard([]string) Service {
	return Service{
		Output: []Line{{Text: "{time:2006/01/02 15:04:05} Serving on HTTP on :8080", Stderr: true}},
		Ports: []Port{{Number: 8080, Log: "{time:2006/01/02 15:04:05} {method} {path}", HTTP: []Reply{
			{Path: "/healthy", Body: "ok"}, {Path: "/ready", Body: "ok"},
			{Path: "/", Type: "text/html; charset=utf-8", Body: "<!doctype html>\n<html><head><title>KUAR Demo</title></head><body>{hostname}</body></html>\n"},
		}}},
		Signals: stopsAsGo,
	}
}

func nginxHello([]string) Service {
	const page = "<!DOCTYPE html>\n<html>\n<head><title>Hello World</title></head>\n<body>\n" +
		"<p><span>Server&nbsp;name:</span> <span>{hostname}</span></p>\n</body>\n</html>\n"
	return always(80, stopsClean, Reply{Path: "*", Type: "text/html", Body: page})(nil)
}

func catalina([]string) Service {
	const ready = 2 * time.Second
	const page = "<!doctype html><html lang=\"en\"><head><title>HTTP Status 404 – Not Found</title></head>" +
		"<body><h1>HTTP Status 404 – Not Found</h1></body></html>"
	const begun = "{time:02-Jan-2006 15:04:05.000} INFO [main] org.apache.catalina.startup.Catalina.start Server startup in [2000] milliseconds"
	return Service{
		Output:  []Line{{After: ready, Text: begun, Stderr: true}},
		Ports:   []Port{{Number: 8080, After: ready, HTTP: []Reply{{Path: "*", Status: 404, Type: "text/html;charset=utf-8", Body: page}}}},
		Signals: stopsAsJVM,
	}
}

// liveness is healthy for ten seconds.
func liveness(port int) Service {
	return Service{
		Ports: []Port{{Number: port, HTTP: []Reply{
			{Path: "/started", Body: "{seconds}s"},
			{Path: "/healthz", Until: 10*time.Second + 1, Body: "ok"},
			{Path: "/healthz", Status: 500, Body: "error: {seconds}"},
			{Path: "*", Status: 404, Body: "404 page not found\n"},
		}}},
		Signals: stopsAsGo,
	}
}

func init() {
	kernel.Provide("redis-server", func([]string) kernel.Program { return &Redis{} })
	kernel.Provide("redis-server-entrypoint", func([]string) kernel.Program { return &Entrypoint{Command: "redis-server"} })
	for name := range services {
		kernel.Provide(name, func(args []string) kernel.Program {
			running := Running{Name: name, Args: args}
			switch name {
			case "postgres":
				return &Postgres{running}
			case "mysqld", "mariadbd":
				return &MySQL{running}
			}
			return &running
		})
		kernel.Provide(name+"-entrypoint", func(args []string) kernel.Program { return &Entrypoint{Command: kernel.Text(name)} })
	}
	// A file that describes a service names this program as its interpreter.
	kernel.Provide(DescribedProgram, func([]string) kernel.Program { return &Described{} })
}
