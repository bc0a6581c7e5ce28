package image

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// TestSQL connects to the databases from their own containers and from others: they need their
// passwords, and refuse to run SQL.
func TestSQL(t *testing.T) {
	t.Parallel()
	const refusal = "rowlock: the emulated "
	tests := []struct {
		image, env, client string
		command            []string
		input, want        string
		code               int
	}{
		{"postgres", "POSTGRES_PASSWORD=x", "", []string{"psql", "-U", "app", "-c", "create table t (a int)"}, "", "ERROR:  " + refusal + "postgres does not run SQL\n", 1},
		{"postgres", "POSTGRES_PASSWORD=x", "", []string{"psql", "-tAc", "SELECT 1;"}, "", "1\n", 0},
		{"postgres", "POSTGRES_PASSWORD=x", "", []string{"psql", "--command=select 42"}, "", " ?column? \n----------\n       42\n(1 row)\n\n", 0},
		{"postgres", "POSTGRES_PASSWORD=x", "", []string{"psql"}, "select * from t;\n", "ERROR:  " + refusal + "postgres does not run SQL\n", 0},
		{"postgres", "POSTGRES_PASSWORD=x", "", []string{"psql"}, "", "", 0},
		{
			"postgres", "POSTGRES_PASSWORD=x", "postgres", []string{"psql", "-h", "10.0.0.9", "-c", "select 1"}, "",
			"psql: error: connection to server at \"10.0.0.9\" (10.0.0.9), port 5432 failed: fe_sendauth: " +
				"no password supplied\n",
			2,
		},
		{
			"postgres", "POSTGRES_PASSWORD=x", "postgres",
			[]string{"env", "PGPASSWORD=y", "psql", "-h", "db", "-U", "app", "-c", "select 1"}, "",
			"psql: error: connection to server at \"db\" (10.0.0.9), port 5432 failed: " +
				"FATAL:  password authentication failed for user \"app\"\n",
			2,
		},
		{"postgres", "POSTGRES_PASSWORD=x", "postgres", []string{"env", "PGPASSWORD=x", "psql", "-h", "db", "-c", "drop table t"}, "", "ERROR:  " + refusal + "postgres does not run SQL\n", 1},
		{"postgres", "POSTGRES_PASSWORD=x", "postgres", []string{"pg_isready", "-h", "db"}, "", "db:5432 - accepting connections\n", 0},
		{"mysql", "MYSQL_ROOT_PASSWORD=x", "", []string{"mysql", "-uroot", "-px", "-e", "show tables"}, "", "ERROR 1235 (42000) at line 1: " + refusal + "mysql does not run SQL\n", 1},
		{"mysql", "MYSQL_ROOT_PASSWORD=x", "mysql", []string{"mysql", "-h", "db", "-e", "SELECT 1"}, "", "1\n1\n", 0},
		{"mysql", "MYSQL_ROOT_PASSWORD=x", "mysql", []string{"mysqladmin", "ping", "-h", "db"}, "", "mysqld is alive\n", 0},
		{"mariadb", "MARIADB_ROOT_PASSWORD=x", "", []string{"mariadb", "-e", "use app"}, "", "", 0},
		{"mariadb", "MARIADB_ROOT_PASSWORD=x", "", []string{"mariadb"}, "show databases;\n", "ERROR 1235 (42000) at line 1: " + refusal + "mariadb does not run SQL\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.client+" "+tt.command[0], func(t *testing.T) {
			t.Parallel()
			server := begin(t, tt.image, corev1.Container{}, tt.env)
			server.run(10 * time.Second)
			b := server
			if tt.client != "" {
				b = begin(t, tt.client, corev1.Container{Command: []string{"sleep", "100"}})
				b.peer = server
				b.run(time.Second)
			}
			got := b.exec(tt.input, 20*time.Second, append([]string{"sh", "-c", `"$@"; echo "($?)"`, "sh"}, tt.command...)...)
			if want := tt.want + map[int]string{0: "(0)\n", 1: "(1)\n", 2: "(2)\n"}[tt.code]; got != want {
				t.Errorf("%q: %q; want %q", tt.command, got, want)
			}
		})
	}
}
