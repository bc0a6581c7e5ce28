// Package conformance compares the answers that clients get with those of Kubernetes. Its files, in
// testdata, are our requests and, below each, the answer of an API server of the version that
// Rowlock emulates: facts, recorded by
//
//	ROWLOCK_CONFORM_KUBECONFIG=file go test ./test/conformance -rewrite
//
// against such a server. Without the variable, the test sends the same requests to Rowlock and
// compares. Rowlock's own answers are never recorded; an intentional difference is written below
// the fact, with the reason.
//
// A file is a story in a namespace of its own, ${ns}: its steps are separated by blank lines, and
// begin with comments. A step is
//
//	POST /api/v1/namespaces/${ns}/configmaps?dryRun=All     method and path, as they are sent
//	Accept: application/json                                headers
//	@keep rv {.metadata.resourceVersion}                    ${rv} stands for this from here on, in requests and in answers
//	@show {.data}                                           the answer's fields to compare, besides those that always are
//	@frames 2                                               how many events of a watch are waited for, before it is left
//	@await 404                                              asks again until the answer begins so, for a minute
//	{"metadata":{"name":"a"}}                               a body: JSON where it begins with a brace, else YAML
//	----
//	201 ConfigMap a                                         code, kind and name; or code and reason, then the message
//	---- differs: because of this                           what Rowlock answers instead, if it does
//	201 ConfigMap b
//
// The method WEBSOCKET watches through a websocket. What differs between any two servers is written
// as a word: UID, TIME, OBJECT; a cause that a Status repeats is written once.
package conformance
