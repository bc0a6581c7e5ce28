package v1

import "time"

// UsagePath returns how much CPU and memory a Pod has used.
const UsagePath = Root + "/usage"

// Usage is the measurements of a Pod over a period.
type Usage struct {
	From  time.Time   `json:"from" doc:"The start of the period, in cluster time."`
	To    time.Time   `json:"to" doc:"The end of the period, in cluster time."`
	Items []UsageItem `json:"items" doc:"The measurements, in order; none for times when no container was running, or that the log no longer covers."`
	Load  bool        `json:"load" doc:"Whether the Pod takes part in a declared load. Its usage then depends on all Pods that share the load, so there are no items."`
}

// UsageItem is one measurement.
type UsageItem struct {
	At     time.Time `json:"at"`
	CPU    float64   `json:"cpu" doc:"The CPU usage of all containers together, in cores."`
	Memory int64     `json:"memory" doc:"The memory usage of all containers together, in bytes."`
}
