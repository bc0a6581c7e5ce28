package v1

import "encoding/json"

// StreamsPath is where several watches are served as one answer.
const StreamsPath = Root + "/streams"

// StreamsRequest is the body of POST: what to watch.
type StreamsRequest struct {
	Streams []StreamRequest `json:"streams" minItems:"1" maxItems:"64"`
}

// StreamRequest is one watch, or a log that is followed.
type StreamRequest struct {
	ID     int    `json:"id" doc:"What its lines are called by."`
	Path   string `json:"path" doc:"Where it is served, with the query, which has watch=true; of a log follow=true."`
	Accept string `json:"accept,omitempty" doc:"Which form of JSON its lines are to have."`
}

// StreamLine is what is sent, as a line: that a watch has begun, something that it says, or that it
// has ended.
type StreamLine struct {
	ID    int             `json:"id"`
	Begun bool            `json:"begun,omitempty" doc:"The watch has begun."`
	Line  json.RawMessage `json:"line,omitempty" doc:"A line of it; of a log, as a string."`
	Ended bool            `json:"ended,omitempty" doc:"The watch has ended."`
	Error json.RawMessage `json:"error,omitempty" doc:"Why it could not begin: a Status."`
}
