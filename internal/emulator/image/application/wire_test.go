package application

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPostgres_Protocol answers what drivers send before and after a query: requests for
// encryption, cancellations, messages of the extended protocol.
func TestPostgres_Protocol(t *testing.T) {
	t.Parallel()
	start := string([]byte{0, 0, 0, 16, 0, 3, 0, 0}) + "user\x00a\x00\x00"
	const refused = "C0A000\x00Mrowlock: the emulated postgres does not run SQL\x00"
	tests := []struct {
		name, says, password string
		want                 []string // parts of the answer, in order
		closed               bool
	}{
		{"SSL and GSS", "\x00\x00\x00\x08\x04\xd2\x16\x2f\x00\x00\x00\x08\x04\xd2\x16\x30", "", []string{"NN"}, false},
		{"a cancellation", "\x00\x00\x00\x10\x04\xd2\x16\x2e\x00\x00\x00\x01\x00\x00\x00\x01", "", nil, true},
		{"version 2", "\x00\x00\x00\x08\x00\x02\x00\x00", "", []string{"C0A000\x00Munsupported frontend protocol"}, true},
		{"no user", string([]byte{0, 0, 0, 9, 0, 3, 0, 0, 0}), "", []string{"C28000"}, true},
		{"a request of HTTP", "GET / HTTP/1.1\r\n\r\n", "", []string{"C08P01"}, true},
		{"a query", start + "Q\x00\x00\x00\x0cdrop t\x00\x00", "", []string{"R\x00\x00\x00\x08\x00\x00\x00\x00", "server_version\x0017.2", "Z\x00\x00\x00\x05I", refused, "Z\x00\x00\x00\x05I"}, false},
		{"an empty query", start + "Q\x00\x00\x00\x05\x00", "", []string{"I\x00\x00\x00\x04Z"}, false},
		{"the extended protocol", start + "P\x00\x00\x00\x06\x00\x00B\x00\x00\x00\x04E\x00\x00\x00\x04S\x00\x00\x00\x04", "", []string{refused, "Z\x00\x00\x00\x05I"}, false},
		{"the right password", start + "p\x00\x00\x00\x06x\x00X\x00\x00\x00\x04", "x", []string{"R\x00\x00\x00\x08\x00\x00\x00\x03", "R\x00\x00\x00\x08\x00\x00\x00\x00"}, true},
		{"a wrong password", start + "p\x00\x00\x00\x06y\x00", "x", []string{"R\x00\x00\x00\x08\x00\x00\x00\x03", "C28P01\x00Mpassword authentication failed for user \"a\""}, true},
		{"no password", start + "Q\x00\x00\x00\x05\x00", "x", []string{"R\x00\x00\x00\x08\x00\x00\x00\x03", "C08P01"}, true},
	}
	for _, tt := range tests {
		var c postgresSession
		var said []byte
		closed := false
		for i := 0; i < len(tt.says) && !closed; i++ { // byte by byte, with the session stored in between
			var out []byte
			out, closed = c.talk([]byte{tt.says[i]}, tt.password, "17.2")
			said = append(said, out...)
			text, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			c = postgresSession{}
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
		}
		rest := string(said)
		for _, part := range tt.want {
			_, after, found := strings.Cut(rest, part)
			if !found {
				t.Errorf("%s: %q lacks %q", tt.name, said, part)
			}
			rest = after
		}
		if closed != tt.closed {
			t.Errorf("%s: closed %v", tt.name, closed)
		}
	}
}

// TestMySQL_Protocol answers a login and commands.
func TestMySQL_Protocol(t *testing.T) {
	t.Parallel()
	login := string(mysqlPacket(1, make([]byte, 34)))
	if got := string(mysqlGreeting("9.1.0", mysqlCaching)); !strings.HasPrefix(got[4:], "\n9.1.0\x00") || !strings.HasSuffix(got, "caching_sha2_password\x00") {
		t.Errorf("the greeting is %q", got)
	}
	tests := []struct {
		name, says, want string
		closed           bool
	}{
		{"a ping", login + "\x01\x00\x00\x00\x0e", "\x02\x00\x00\x02\x01\x03\x07\x00\x00\x03\x00\x00\x00\x02\x00\x00\x00\x07\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00", false},
		{"a query", login + string(mysqlPacket(0, []byte("\x03show tables"))), "#42000rowlock: the emulated mysql does not run SQL", false},
		{"a prepared statement", login + string(mysqlPacket(0, []byte("\x16select ?"))), "#42000rowlock: the emulated mysql does not run SQL", false},
		{"quit", login + "\x01\x00\x00\x00\x01", "", true},
		{"nothing", login + "\x00\x00\x00\x00", "Malformed", true},
		{"too much", "\xff\xff\xff\x00", "max_allowed_packet", true},
	}
	for _, tt := range tests {
		var c mysqlSession
		out, closed := c.talk([]byte(tt.says), "mysql")
		if !strings.Contains(string(out), tt.want) || closed != tt.closed {
			t.Errorf("%s: %q, closed %v", tt.name, out, closed)
		}
	}
}

// FuzzWire sends any bytes to the SQL databases, in two parts and at once: the answers are the
// same, and the sessions are bounded.
func FuzzWire(f *testing.F) {
	for _, seed := range []string{"\x00\x00\x00\x08\x04\xd2\x16\x2f",
		"\x00\x00\x00\x10\x00\x03\x00\x00user\x00a\x00\x00Q\x00\x00\x00\x0cselect 1",
		"\x00\x00\x00\x10\x00\x03\x00\x00user\x00a\x00\x00P\x00\x00\x00\x04S\x00\x00\x00\x04X\x00\x00\x00\x04",
		"\x01\x00\x00\x01\x00\x01\x00\x00\x00\x0e", "\x01\x00\x00\x01\x00\x09\x00\x00\x00\x03select 1", "\xff\xff\xff\xff\xff", "\x00\x00\x00\x00"} {
		f.Add(seed, 4)
	}
	f.Fuzz(func(t *testing.T, input string, cut int) {
		cut = max(min(cut, len(input)), 0)
		talks := map[string]func() func(string) ([]byte, bool){
			"postgres": func() func(string) ([]byte, bool) {
				c := &postgresSession{}
				return func(s string) ([]byte, bool) { return c.talk([]byte(s), "", "17") }
			},
			"mysql": func() func(string) ([]byte, bool) {
				c := &mysqlSession{}
				return func(s string) ([]byte, bool) { return c.talk([]byte(s), "mysql") }
			},
		}
		for name, talk := range talks {
			whole, closed := talk()(input)
			parts := talk()
			out, over := parts(input[:cut])
			if !over {
				var more []byte
				more, over = parts(input[cut:])
				out = append(out, more...)
			}
			if string(out) != string(whole) || over != closed {
				t.Fatalf("%s: in parts %q, %v; at once %q, %v", name, out, over, whole, closed)
			}
		}
	})
}
