// Package v1 holds the types of Rowlock's own API, which is served under [Root]: the clock, faults,
// the log of changes, snapshots, forks, previews, metrics and traffic. Other Go programs use them
// to speak to a Rowlock; the server and its command use the same.
//
// Bodies are JSON, and have no fields but these: a request with another one is refused. The doc tag
// of a field says what it means, in which units, and what its absence means; openapi.yaml says the
// same. Errors are a [k8s.io/apimachinery/pkg/apis/meta/v1.Status], as in the Kubernetes API.
//
//   - A revision is the number of a change in the cluster's log. As text it is a resourceVersion. 0 is none.
//   - A span of time in a request is text such as 90s, 36h, 1d or 2d12h. Empty text is none.
//   - A time is by the cluster's clock, unless its doc tag says that it is real time.
package v1

// Root is what the paths of Rowlock's own API begin with. In a fork they follow [ForkPrefix] and
// the fork's name.
const Root = "/rowlock/v1"
