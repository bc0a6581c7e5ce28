package v1

import "time"

// UsagePath returns how much CPU and memory a Pod has used.
const UsagePath = Root + "/usage"

// Usage is the measurements of a Pod over a period.
type Usage struct {
	From  time.Time   `json:"from" doc:"The start of the period, in cluster time."`
	To    time.Time   `json:"to" doc:"The end of the period, in cluster time."`
	Items []UsageItem `json:"items" doc:"The measurements, in order; none where no container was running, or where the log goes no further back."`
	Load  bool        `json:"load" doc:"Whether a declared load concerns the Pod. What it used then depended on all Pods that shared the load, so there are no items."`
}

// UsageItem is one measurement.
type UsageItem struct {
	At     time.Time `json:"at"`
	CPU    float64   `json:"cpu" doc:"What all containers used together, in cores."`
	Memory int64     `json:"memory" doc:"The same, in bytes."`
}
