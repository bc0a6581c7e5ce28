package v1

import "time"

// TrafficPath returns counts of the requests between Pods.
const TrafficPath = Root + "/traffic"

// Traffic counts the requests of Pods to a Service, or to and from a Pod, in the last minutes.
type Traffic struct {
	From    time.Time       `json:"from" doc:"The start of the period, in cluster time."`
	To      time.Time       `json:"to" doc:"The end of the period, in cluster time."`
	Items   []TrafficItem   `json:"items" doc:"Requests by caller and callee, the busiest first; at most 200."`
	Minutes []TrafficMinute `json:"minutes" doc:"Totals by minute, in order; minutes without requests are missing."`
}

// TrafficItem counts the requests of one caller to one callee.
type TrafficItem struct {
	Caller  *TrafficEnd `json:"caller,omitempty" doc:"The Pod that sent the requests; absent if you may not list Pods in its namespace."`
	Service *TrafficEnd `json:"service,omitempty" doc:"The Service that it called; absent if it called a Pod by its address."`
	Callee  *TrafficEnd `json:"callee,omitempty" doc:"The Pod that received the requests; absent if none did, or if you may not list Pods in its namespace."`
	TrafficCounts
}

// TrafficEnd is a Pod or Service, which may have been deleted.
type TrafficEnd struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// TrafficMinute counts the requests of one minute.
type TrafficMinute struct {
	At time.Time `json:"at"`
	TrafficCounts
}

// TrafficCounts counts requests by outcome.
type TrafficCounts struct {
	Answered int64 `json:"answered" doc:"Requests answered, and connections opened."`
	Failed   int64 `json:"failed" doc:"Requests answered with a status of 500 or more."`
	Refused  int64 `json:"refused" doc:"Requests refused, because there was no endpoint or nothing was listening."`
	Lost     int64 `json:"lost" doc:"Requests without an answer before the timeout."`
}
