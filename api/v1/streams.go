package v1

import "encoding/json"

// StreamsPath serves several watches as one answer.
const StreamsPath = Root + "/streams"

// StreamsRequest is the body of POST.
type StreamsRequest struct {
	Streams []StreamRequest `json:"streams" minItems:"1" maxItems:"64"`
}

// StreamRequest is one watch, or one log with follow.
type StreamRequest struct {
	ID     int    `json:"id" doc:"The ID that its lines have in the response."`
	Path   string `json:"path" doc:"Its path and query, with watch=true or, for a log, follow=true."`
	Accept string `json:"accept,omitempty" doc:"The Accept header, which selects the form of JSON of its lines."`
}

// StreamLine is one line of the answer: the start of a watch, one of its lines, or its end.
type StreamLine struct {
	ID    int             `json:"id"`
	Begun bool            `json:"begun,omitempty" doc:"The watch has started."`
	Line  json.RawMessage `json:"line,omitempty" doc:"A line of the watch; for a log, a string."`
	Ended bool            `json:"ended,omitempty" doc:"The watch has ended."`
	Error json.RawMessage `json:"error,omitempty" doc:"Why the watch could not start: a Status."`
}
