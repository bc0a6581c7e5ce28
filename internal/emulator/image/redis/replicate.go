package redis

import (
	"errors"
	"fmt"
	"strings"
)

// A server with a Leader copies the leader's data. The protocol is not that of real servers: the
// copy sends "PSYNC history offset" and gets +CONTINUE if nothing has changed, or +FULLRESYNC with
// history and offset, and the file that Dump writes.

// Ask returns what the server sends to its leader.
func (s *Server) Ask(address string) string {
	history, offset, ok := strings.Cut(s.Copied, " ")
	if !ok {
		history, offset = "?", "-1"
	}
	ask := ""
	if password := s.setting("masterauth"); password != "" {
		ask = Command("AUTH", password)
	}
	return ask + Command("REPLCONF", "ip-address", address) + Command("PSYNC", history, offset, address)
}

// ErrLeader means that the answer does not come from a leader.
var ErrLeader = errors.New("not an answer of a leader")

// Take processes the leader's answer to Ask. The error is ErrLeader, or that of Load.
func (s *Server) Take(answer string) error {
	b := []byte(answer)
	for len(b) > 0 {
		r, n, err := ParseReply(b)
		if err != nil || n == 0 {
			return ErrLeader
		}
		b = b[n:]
		words := strings.Fields(r.Text)
		switch {
		case r.Kind == '-':
			return fmt.Errorf("%w: %s", ErrLeader, r.Text)
		case r.Kind == '+' && r.Text == "CONTINUE":
			s.LinkUp = true
			return nil
		case r.Kind == '+' && len(words) == 3 && words[0] == "FULLRESYNC":
			file, n, err := ParseReply(b)
			if err != nil || n == 0 || file.Kind != '$' {
				return ErrLeader
			}
			if err := s.Load([]byte(file.Text)); err != nil {
				return err
			}
			s.Copied, s.LinkUp = words[1]+" "+words[2], true
			s.Offset++
			return nil
		}
	}
	return ErrLeader
}

func psync(x *call, _ int64) {
	if len(x.args) != 4 {
		x.error("ERR rowlock: only emulated servers can copy this one")
		return
	}
	x.s.expireAll(x.now)
	if address := x.arg(3); !containsText(x.s.Replicas, address) && len(x.s.Replicas) < maxReplicas && len(address) < 64 {
		x.s.Replicas = append(x.s.Replicas, address)
	}
	if x.arg(1) == x.s.ID && x.arg(2) == formatInt(x.s.Offset) {
		x.status("CONTINUE")
		return
	}
	file, err := x.s.Dump()
	if err != nil || len(file) > maxAnswer {
		x.error("ERR rowlock: the data is too large to be copied")
		return
	}
	x.status("FULLRESYNC " + x.s.ID + " " + formatInt(x.s.Offset))
	x.text(string(file))
}

func (s *Server) expireAll(now int64) { (&call{s: s, now: now}).expire() }

func containsText(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}

func replicaOf(x *call, _ int64) {
	host, port := x.arg(1), x.arg(2)
	if x.is(1, "no") && x.is(2, "one") {
		x.s.Leader, x.s.LinkUp = "", false
		x.ok()
		return
	}
	if n, err := integer(port); err != nil || n < 1 || n > 65535 || len(host) > maxName || strings.ContainsAny(host, " \r\n") {
		x.error("ERR Invalid master port")
		return
	}
	x.s.Leader, x.s.LinkUp, x.s.Copied = host+" "+port, false, ""
	x.ok()
}

func (s *Server) role() string {
	if s.Leader != "" {
		return "slave"
	}
	return "master"
}

func role(x *call, _ int64) {
	if x.s.Leader == "" {
		x.list(3)
		x.text("master")
		x.number(x.s.Offset)
		x.list(len(x.s.Replicas))
		for _, r := range x.s.Replicas {
			x.texts([]string{r, "6379", formatInt(x.s.Offset)})
		}
		return
	}
	host, port, _ := strings.Cut(x.s.Leader, " ")
	x.list(5)
	x.text("slave")
	x.text(host)
	n, _ := integer(port) // it was checked when it was set, or is 0
	x.number(n)
	x.text(map[bool]string{true: "connected", false: "connect"}[x.s.LinkUp])
	x.number(x.s.Offset)
}

// replication returns that section of INFO.
func (s *Server) replication() []string {
	lines := []string{"role:" + s.role()}
	if s.Leader != "" {
		host, port, _ := strings.Cut(s.Leader, " ")
		lines = append(lines, "master_host:"+host, "master_port:"+port, "master_link_status:"+map[bool]string{true: "up", false: "down"}[s.LinkUp])
	}
	lines = append(lines, fmt.Sprintf("connected_slaves:%d", len(s.Replicas)))
	for i, r := range s.Replicas {
		lines = append(lines, fmt.Sprintf("slave%d:ip=%s,port=6379,state=online,offset=%d,lag=0", i, r, s.Offset))
	}
	return append(lines, "master_replid:"+s.ID, fmt.Sprintf("master_repl_offset:%d", s.Offset))
}
