package redis_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/emulator/image/redis"
)

var noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// talk sends lines as a user types them, storing the session between them, and returns the answers
// as redis-cli prints them.
func talk(t *testing.T, s *redis.Server, c *redis.Session, now time.Time, lines ...string) (answers []string) {
	t.Helper()
	for _, line := range lines {
		c2 := redis.DecodeSession(c.Encode())
		out := s.Talk(c2, line+"\r\n", now)
		*c = *c2
		var all strings.Builder
		for len(out) > 0 {
			r, n, err := redis.ParseReply(out)
			if err != nil || n == 0 {
				t.Fatalf("%s: %q is not a reply: %v", line, out, err)
			}
			all.WriteString(r.String())
			out = out[n:]
		}
		answers = append(answers, strings.TrimSuffix(strings.ReplaceAll(all.String(), "\n", " "), " "))
	}
	return answers
}

// TestCommands is a conversation for each kind of value. It expects redis-cli's lines, joined by
// spaces.
func TestCommands(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, say, want string }{
		{"strings", "set a 1|get a|append a 2|incr a|incrby a 5|decr a|decrby a 7|getrange a 0 -1|strlen a|mset b x c y|mget a b nope|setnx b z|getset b q|getdel b|get b",
			`OK|"1"|(integer) 2|(integer) 13|(integer) 18|(integer) 17|(integer) 10|"10"|(integer) 2|OK|1) "10" 2) "x" 3) (nil)|(integer) 0|"x"|"q"|(nil)`},
		{"set's options", "set a 1 nx|set a 2 nx|set a 2 xx get|set b 1 xx|set a 3 ex 0|set a 3 ex ten|set a 3 nx xx|set a 3 px 1500|pttl a|set a 4 keepttl|pttl a|get a",
			`OK|(nil)|"1"|(nil)|(error) ERR invalid expire time in 'set' command|(error) ERR value is not an integer or out of range|(error) ERR syntax error|OK|(integer) 1500|OK|(integer) 1500|"4"`},
		{"keys",
			`set one 1|set two 2|keys *o*|keys [a-o]n?|exists one two one|type one|type nope|rename one uno|rename one x|` +
				`dbsize|scan 0 match t* count 5|select 1|dbsize|select 99|select 0|flushall|dbsize`,
			`OK|OK|1) "one" 2) "two"|1) "one"|(integer) 3|string|none|OK|(error) ERR no such key|(integer) 2|1) "0" 2) 1) "two"|OK|(integer) 0|(error) ERR DB index is out of range|OK|OK|(integer) 0`},
		{"lists",
			"rpush l a b c|lpush l z y|lrange l 0 -1|lrange l -2 9|llen l|lpop l|rpop l 2|lindex l -1|lset l 0 q|lset l 9 q|" +
				"linsert l before a m|lrem l -1 m|rpoplpush l k|lmove k l left right|type l|ltrim l 1 0|exists l|lpop l|lpop l 1",
			`(integer) 3|(integer) 5|1) "y" 2) "z" 3) "a" 4) "b" 5) "c"|1) "b" 2) "c"|(integer) 5|"y"|1) "c" 2) "b"|"a"|OK|` +
				`(error) ERR index out of range|(integer) 3|(integer) 1|"a"|"a"|list|OK|(integer) 0|(nil)|(nil)`},
		{"hashes", "hset h a 1 b 2|hset h a 3|hget h a|hget h x|hmget h a x|hgetall h|hkeys h|hvals h|hlen h|hincrby h a 4|hexists h b|hdel h a b|exists h|hset h a",
			`(integer) 2|(integer) 0|"3"|(nil)|1) "3" 2) (nil)|1) "a" 2) "3" 3) "b" 4) "2"|1) "a" 2) "b"|1) "3" 2) "2"|` +
				`(integer) 2|(integer) 7|(integer) 1|(integer) 2|(integer) 0|` +
				`(error) ERR wrong number of arguments for 'hset' command`},
		{"sets", "sadd s a b a|scard s|sismember s b|smembers s|sadd r b c|sinter s r|sunion s r|sdiff s r|srem s a x|spop s|exists s",
			`(integer) 2|(integer) 2|(integer) 1|1) "a" 2) "b"|(integer) 2|1) "b"|1) "a" 2) "b" 3) "c"|1) "a"|(integer) 1|"b"|(integer) 0`},
		{"sorted sets",
			"zadd z 2 b 1 a 3 c|zadd z 5 a|zrange z 0 -1 withscores|zrevrange z 0 0|zscore z b|zincrby z 1.5 b|zrank z a|" +
				"zrangebyscore z (3 5|zcount z -inf +inf|zrange z 5 3 byscore rev limit 0 1|zrem z c|zcard z",
			`(integer) 3|(integer) 0|1) "b" 2) "2" 3) "c" 4) "3" 5) "a" 6) "5"|1) "a"|"2"|"3.5"|(integer) 2|1) "b" 2) "a"|(integer) 3|1) "a"|(integer) 1|(integer) 2`},
		{"wrong kinds", "set a x|lpush a 1|hset a b c|sadd a 1|zadd a 1 1|incr a|hget a b|append l 1|get l",
			strings.TrimSuffix("OK|"+
				strings.Repeat("(error) WRONGTYPE Operation against a key holding the wrong kind of value|", 4)+
				`(error) ERR value is not an integer or out of range|`+
				`(error) WRONGTYPE Operation against a key holding the wrong kind of value|(integer) 1|"1"|`, "|")},
		{"transactions", "multi|set a 1|incr a|multi|exec|get a|multi|nope|exec|discard|exec",
			`OK|QUEUED|QUEUED|(error) ERR MULTI calls can not be nested|1) OK 2) (integer) 2|"2"|OK|` +
				`(error) ERR unknown command 'nope', with args beginning with: |` +
				`(error) EXECABORT Transaction discarded because of previous errors.|(error) ERR DISCARD without MULTI|` +
				`(error) ERR EXEC without MULTI`},
		{"settings",
			"config get maxmemory|config set maxmemory 2mb|config get maxmemory|config set maxmemory-policy x|" +
				"config set port 1|config set nope 1|client setname me|client getname|echo hi|ping|ping you|hello 3",
			`1) "maxmemory" 2) "0"|OK|1) "maxmemory" 2) "2097152"|` +
				`(error) ERR CONFIG SET failed (possibly related to argument 'maxmemory-policy') - argument(s) must be one of the following: noeviction, ` +
				`allkeys-lru, allkeys-lfu, allkeys-random, volatile-lru, volatile-lfu, volatile-random, volatile-ttl|` +
				`(error) ERR CONFIG SET failed (possibly related to argument 'port') - can't set immutable config|` +
				`(error) ERR Unknown option or number of arguments for CONFIG SET - 'nope'|OK|"me"|"hi"|PONG|"you"|` +
				`(error) NOPROTO unsupported protocol version`},
		{
			"what is not emulated", `subscribe news|eval "return 1" 0|get|set a "b c|ping`,
			`(error) ERR rowlock: SUBSCRIBE is not emulated|(error) ERR rowlock: EVAL is not emulated|` +
				`(error) ERR wrong number of arguments for 'get' command|(error) ERR Protocol error: ` +
				`unbalanced quotes in request|`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := talk(t, &redis.Server{}, &redis.Session{}, noon, strings.Split(tt.say, "|")...)
			if diff := cmp.Diff(strings.Split(tt.want, "|"), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestExpiry depends only on the time that is passed in.
func TestExpiry(t *testing.T) {
	t.Parallel()
	s, c := &redis.Server{}, &redis.Session{}
	talk(t, s, c, noon, "set a 1 ex 10", "set b 1", "pexpire b 20000", "set c 1", "expire c 5", "persist c")
	for after, want := range map[time.Duration][]string{
		0:                       {"(integer) 3", "(integer) 10", "(integer) 20", "(integer) -1"},
		9999 * time.Millisecond: {"(integer) 3", "(integer) 0", "(integer) 10", "(integer) -1"},
		10 * time.Second:        {"(integer) 2", "(integer) -2", "(integer) 10", "(integer) -1"},
		30 * time.Second:        {"(integer) 1", "(integer) -2", "(integer) -2", "(integer) -1"},
	} {
		copied := clone(t, s)
		if got := talk(t, copied, c, noon.Add(after), "dbsize", "ttl a", "ttl b", "ttl c"); !slices.Equal(got, want) {
			t.Errorf("after %v: %q; want %q", after, got, want)
		}
	}
}

func clone(t *testing.T, s *redis.Server) *redis.Server {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	other := &redis.Server{}
	if err := json.Unmarshal(text, other); err != nil {
		t.Fatal(err)
	}
	return other
}

// TestStored compares a server that is written as JSON and read back between any two commands with
// one that is not.
func TestStored(t *testing.T) {
	t.Parallel()
	says := []string{
		"set \"\\xff\\x00\" \"\\xfe\"", "keys *", "zadd z -inf a +inf b 0.1 c", "zrange z 0 -1 withscores",
		"sadd s \"\\xff\" b", "smembers s", "srem s b", "sismember s \"\\xff\"", "hset h a \"\\x80\"", "hgetall h",
		"lpush l 1 2", "lpop l", "lrange l 0 -1", "multi", "incr n", "exec",
	}
	s, c := &redis.Server{}, &redis.Session{}
	stored, c2 := &redis.Server{}, &redis.Session{}
	for _, say := range says {
		want := talk(t, s, c, noon, say)
		stored = clone(t, stored)
		if got := talk(t, stored, c2, noon, say); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", say, got, want)
		}
	}
}

// TestBlocking keeps a waiting command in the session until there is an element or its time is
// over.
func TestBlocking(t *testing.T) {
	t.Parallel()
	s, waits, c := &redis.Server{}, &redis.Session{}, &redis.Session{}
	if got := talk(t, s, waits, noon, "blpop q r 5"); got[0] != "" || waits.Blocked == nil || waits.Blocked.Until != noon.Add(5*time.Second).UnixMilli() {
		t.Fatalf("answered %q; blocked %v", got, waits.Blocked)
	}
	talk(t, s, waits, noon, "ping") // waits behind the blocked command
	talk(t, s, c, noon, "rpush r x")
	if got := talk(t, s, waits, noon.Add(time.Second), ""); got[0] != `1) "r" 2) "x" PONG` || waits.Blocked != nil {
		t.Errorf("answered %q; blocked %v", got, waits.Blocked)
	}
	talk(t, s, waits, noon, "brpoplpush q r 2")
	if got := talk(t, s, waits, noon.Add(time.Second), ""); got[0] != "" {
		t.Errorf("answered %q before its time", got)
	}
	if got := talk(t, s, waits, noon.Add(2*time.Second), ""); got[0] != "(nil)" {
		t.Errorf("answered %q at its end", got)
	}
	got := talk(t, s, c, noon, "multi", "blpop q 0", "exec", "blpop q x", "blpop q -1")
	want := []string{"1) (nil)", "(error) ERR timeout is not a float or out of range", "(error) ERR timeout is negative"}
	if !slices.Equal(got[2:], want) {
		t.Errorf("in a transaction: %q", got)
	}
}

// TestPassword checks that clients need the password, and its settings.
func TestPassword(t *testing.T) {
	t.Parallel()
	s, c := &redis.Server{}, &redis.Session{}
	if got := talk(t, s, c, noon, "auth x"); !strings.Contains(got[0], "without any password configured") {
		t.Errorf("without one: %q", got)
	}
	if err := s.Set("requirepass", "secret"); err != nil {
		t.Fatal(err)
	}
	want := []string{"(error) NOAUTH Authentication required.", "(error) WRONGPASS invalid username-password pair or user is disabled.", "(error) NOAUTH Authentication required.", "OK", "OK", `"1"`}
	if got := talk(t, s, c, noon, "get a", "auth wrong", "multi", "auth default secret", "set a 1", "get a"); !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

// TestMemory refuses commands that need too much memory, or evicts the least recently used keys.
func TestMemory(t *testing.T) {
	t.Parallel()
	s, c := &redis.Server{}, &redis.Session{}
	if err := s.Set("maxmemory", "1kb"); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 300)
	got := talk(t, s, c, noon, "set a "+long, "set b "+long, "set c "+long, "set d "+long, "get a", "config set maxmemory-policy allkeys-lru", "set d "+long, "keys *")
	want := []string{"OK", "OK", "OK", "(error) OOM command not allowed when used memory > 'maxmemory'.", `"` + long + `"`, "OK", "OK", `1) "a" 2) "d"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	full, refused := &redis.Server{}, 0
	for i := range 20 {
		if out := full.Talk(&redis.Session{}, redis.Command("set", fmt.Sprint(i), strings.Repeat("x", 60_000)), noon); strings.HasPrefix(string(out), "-OOM") {
			refused++
		}
	}
	if full.Size() > 512<<10 || refused != 12 {
		t.Errorf("holds %d bytes and has refused %d", full.Size(), refused)
	}
}

// TestBounds shows that a connection ends when it exceeds a bound.
func TestBounds(t *testing.T) {
	t.Parallel()
	many := &redis.Server{}
	many.Talk(&redis.Session{}, redis.Command(append([]string{"rpush", "l"}, slices.Repeat([]string{"0123456789"}, 4000)...)...), noon)
	tests := []struct{ name, input, begins string }{
		{"a long line", strings.Repeat("x", 100_000), "-ERR Protocol error: rowlock: a command of more than 65536 bytes"},
		{"a long text", "*2\r\n$3\r\nget\r\n$70000\r\n", "-ERR Protocol error: rowlock: a command of more than 65536 bytes"},
		{"many arguments", "*9000\r\n", "-ERR Protocol error: invalid multibulk length"},
		{"a long answer", strings.Repeat("lrange l 0 -1\r\n", 1000), "*4000\r\n"},
		{"much work", strings.Repeat("keys *\r\ndbsize\r\nlrem l 0 nope\r\n", 1500), "*1\r\n"},
		{"no protocol", "*1\r\n!3\r\n", "-ERR Protocol error: expected '$', got '!'"},
	}
	for _, tt := range tests {
		c := &redis.Session{}
		out := string(many.Talk(c, tt.input, noon))
		if !c.Closed || !strings.HasPrefix(out, tt.begins) || len(out) > 512<<10 {
			t.Errorf("%s: closed %v, %d bytes: %.80q", tt.name, c.Closed, len(out), out)
		}
	}
	if c := (&redis.Session{}); many.Talk(c, "*2\r\n$3\r\nge", noon) != nil || c.Closed || c.Encode() == "" {
		t.Error("a part of a command is not waited for")
	}
}

// TestReplica copies a leader's data, and copies it again only after a change.
func TestReplica(t *testing.T) {
	t.Parallel()
	leader, replica, c := &redis.Server{ID: "abc"}, &redis.Server{}, &redis.Session{}
	if err := replica.Set("replicaof", "redis-leader 6379"); err != nil {
		t.Fatal(err)
	}
	talk(t, leader, c, noon, "rpush messages hello", "set x 1 ex 5")
	for i, want := range []string{"+FULLRESYNC abc 2", "+CONTINUE"} {
		answer := string(leader.Talk(&redis.Session{}, replica.Ask("10.0.0.7"), noon))
		if !strings.Contains(answer, want) {
			t.Errorf("copy %d: %.100q", i, answer)
		}
		if err := replica.Take(answer); err != nil {
			t.Fatal(err)
		}
	}
	got := talk(t, replica, c, noon, "lrange messages 0 -1", "ttl x", "set a 1", "role")
	want := []string{
		`1) "hello"`, "(integer) 5", "(error) READONLY You can't write against a read only replica.",
		`1) "slave" 2) "redis-leader" 3) (integer) 6379 4) "connected" 5) (integer) 1`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the replica: %q", got)
	}
	if got := talk(t, leader, c, noon, "info replication"); !strings.Contains(got[0], "connected_slaves:1") || !strings.Contains(got[0], "slave0:ip=10.0.0.7") {
		t.Errorf("the leader: %q", got)
	}
	for _, answer := range []string{"", "+OK\r\n", "-NOAUTH x\r\n", "+FULLRESYNC a 1\r\n$3\r\nxyz\r\n", "+FULLRESYNC a 1\r\n$40\r\nREDIS0011\n{\"Entries\":[{\"Kind\":\"zset\"}]}", "HTTP/1.1 400"} {
		if err := replica.Take(answer); err == nil {
			t.Errorf("%q was taken", answer)
		}
	}
	if got := talk(t, replica, c, noon, "replicaof no one", "set a 1", "lrange messages 0 -1"); !slices.Equal(got, []string{"OK", "OK", `1) "hello"`}) {
		t.Errorf("promoted: %q", got)
	}
}

// FuzzTalk sends any bytes, in two parts and at once: both give the same answers, and they follow
// the protocol.
func FuzzTalk(f *testing.F) {
	for _, seed := range []string{"PING\r\n", "*1\r\n$4\r\nPING\r\n", "set a 'b c'\r\nget a\r\n", "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$0\r\n\r\n", "multi\nincr a\nexec\n", "blpop a 1\nping\n",
		"keys *a*[^b-\\\n", "zadd z inf a nan b\n", "*-1\r\n*0\r\n*1\r\n$-1\r\n",
		"lpush l a\nlrange l 0 -1\nlrem l -9223372036854775808 a\n", "config get *\ninfo\n",
		"set a 9223372036854775807 px 9223372036854775807\n",
		"select 15\nhset h \"\\xff\" 1\nhgetall h\n", "hello 2 setname\nclient\nexpire a -9223372036854775808\n", "psync ? -1 10.0.0.1\n"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, input string, cut int) {
		if len(input) > 4096 {
			return
		}
		cut = max(min(cut, len(input)), 0)
		a, b, ca, cb := &redis.Server{}, &redis.Server{}, &redis.Session{}, &redis.Session{}
		whole := string(a.Talk(ca, input, noon))
		parts := string(b.Talk(cb, input[:cut], noon))
		cb = redis.DecodeSession(cb.Encode())
		if !cb.Closed && (cb.Blocked == nil || cut < len(input)) {
			parts += string(b.Talk(cb, input[cut:], noon))
		}
		if parts != whole {
			t.Fatalf("in parts %q, at once %q", parts, whole)
		}
		for rest := []byte(whole); len(rest) > 0; {
			_, n, err := redis.ParseReply(rest)
			if err != nil || n == 0 {
				t.Fatalf("%q is not an answer: %v", rest, err)
			}
			rest = rest[n:]
		}
	})
}
