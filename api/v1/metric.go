package v1

import "time"

// MetricsPath sets, lists and deletes the values of metrics.
const MetricsPath = Root + "/metrics"

// Metric is the value of a metric that a user has set, and the body of PUT, which ignores Time.
type Metric struct {
	Namespace string            `json:"namespace,omitempty" doc:"The namespace; default is default. Cluster-scoped objects have none."`
	Metric    string            `json:"metric" doc:"The metric's name."`
	Object    string            `json:"object,omitempty" doc:"The object of a custom metric: pods/web-1, deployments.apps/web, nodes/node-1, or namespaces/NAME for the namespace itself. Without it, the metric is external."`
	Labels    map[string]string `json:"labels,omitempty" doc:"Labels for selectors. An external metric has one value for each set of labels."`
	Value     string            `json:"value" doc:"The value, as a quantity such as 250 or 1500m."`
	Time      *time.Time        `json:"time,omitempty" doc:"When it was set, in cluster time."`
}

// MetricList is all values, sorted by namespace, metric and object.
type MetricList struct {
	Items []Metric `json:"items"`
}
