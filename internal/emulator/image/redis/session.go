package redis

import "encoding/json"

// Session is what the server knows of a connection. The zero value is a new one.
type Session struct {
	Input []byte `json:",omitempty"` // an incomplete command, or commands after a blocked one
	DB    int    `json:",omitempty"`
	User  bool   `json:",omitempty"` // the client has given the password
	Name  string `json:",omitempty"`

	Multi  bool       `json:",omitempty"` // commands are queued for EXEC
	Failed bool       `json:",omitempty"` // one of them was refused
	Queue  [][][]byte `json:",omitempty"`

	Blocked *Blocked `json:",omitempty"`
	Closed  bool     `json:",omitempty"` // nothing more is answered
}

// maxName is the most bytes that are kept of a client's name.
const maxName = 256

// Blocked is a command that waits for an element.
type Blocked struct {
	Args  [][]byte
	Until int64 `json:",omitempty"` // in milliseconds since 1970; 0 means for ever
}

// Encode returns the session as text. The zero session is "".
func (c *Session) Encode() string {
	text, err := json.Marshal(c)
	if err != nil || string(text) == "{}" {
		return "" // cannot happen: it is plain data
	}
	return string(text)
}

// DecodeSession reads what Encode has written. For any other text it returns a new session.
func DecodeSession(text string) *Session {
	c := &Session{}
	if text != "" && json.Unmarshal([]byte(text), c) != nil {
		return &Session{}
	}
	return c
}

func texts(args [][]byte) []string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = string(a)
	}
	return all
}

func raws(args []string) [][]byte {
	all := make([][]byte, len(args))
	for i, a := range args {
		all[i] = []byte(a)
	}
	return all
}
