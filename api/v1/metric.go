package v1

import "time"

// MetricsPath is where the values of metrics are set, listed and deleted.
const MetricsPath = Root + "/metrics"

// Metric is the value of a metric that a user has set, and the body of PUT, where Time is not
// looked at.
type Metric struct {
	Namespace string            `json:"namespace,omitempty" doc:"The namespace; default if not given. Objects without a namespace have none here."`
	Metric    string            `json:"metric" doc:"The metric's name."`
	Object    string            `json:"object,omitempty" doc:"Of a custom metric, what it is about: pods/web-1, deployments.apps/web, nodes/node-1, or namespaces/NAME for the namespace itself. Without it the metric is external."`
	Labels    map[string]string `json:"labels,omitempty" doc:"Labels of the value, for selectors. An external metric has a value for each set of labels."`
	Value     string            `json:"value" doc:"The value, as a quantity such as 250 or 1500m."`
	Time      *time.Time        `json:"time,omitempty" doc:"When it was set, by the cluster's clock."`
}

// MetricList is values by namespace, metric and object.
type MetricList struct {
	Items []Metric `json:"items"`
}
