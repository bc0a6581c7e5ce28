// Package v1 holds the types of Rowlock's own API, which is served under [Root]: clock, faults,
// log, snapshots, forks, previews, metrics and traffic. The server, the rowlock command and other
// Go programs use them.
//
// Bodies are JSON. A request with an unknown field is rejected. The doc tag of a field states its
// meaning, its unit and what its absence means; openapi.yaml has the same text. Errors are a
// [k8s.io/apimachinery/pkg/apis/meta/v1.Status], as in the Kubernetes API.
//
//   - A revision is the number of a change in the cluster's log. As text it is a resourceVersion.
//     0 means none.
//   - A duration in a request is text such as 90s, 36h, 1d or 2d12h. "" means none.
//   - A time is cluster time, unless its doc tag says real time.
package v1

// Root is the prefix of the paths of Rowlock's own API. In a fork they follow [ForkPrefix] and the
// fork's name.
const Root = "/rowlock/v1"
