package v1

import "time"

// TrafficPath is where the requests between Pods are counted.
const TrafficPath = Root + "/traffic"

// Traffic is how the requests of Pods to a Service, or to and from a Pod, went in the last minutes.
type Traffic struct {
	From    time.Time       `json:"from" doc:"From when on it counts, by the cluster's clock."`
	To      time.Time       `json:"to" doc:"The cluster's time."`
	Items   []TrafficItem   `json:"items" doc:"Who asked whom, the busiest first; 200 at most."`
	Minutes []TrafficMinute `json:"minutes" doc:"All of them by the minute, in order; minutes without requests are missing."`
}

// TrafficItem is who asked whom.
type TrafficItem struct {
	Caller  *TrafficEnd `json:"caller,omitempty" doc:"The Pod that asked; absent of Pods in namespaces whose Pods you may not list."`
	Service *TrafficEnd `json:"service,omitempty" doc:"The Service that it asked; absent where it asked a Pod by its address."`
	Callee  *TrafficEnd `json:"callee,omitempty" doc:"The Pod that the request came to; absent where it came to none, or may not be known."`
	TrafficCounts
}

// TrafficEnd is a Pod or a Service, which may be gone.
type TrafficEnd struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// TrafficMinute is what was asked in a minute.
type TrafficMinute struct {
	At time.Time `json:"at"`
	TrafficCounts
}

// TrafficCounts are numbers of requests, by how they went.
type TrafficCounts struct {
	Answered int64 `json:"answered" doc:"Requests that were answered, and connections that were opened."`
	Failed   int64 `json:"failed" doc:"Requests that were answered with a status of 500 or more."`
	Refused  int64 `json:"refused" doc:"Requests that nobody took: no endpoint, or nothing that listens."`
	Lost     int64 `json:"lost" doc:"Requests without an answer in time."`
}
