// Package wire turns the bytes of the Kubernetes API's requests into objects, and values into the
// bytes of answers. It knows media types, encodings and limits, and no verb.
//
// Begin with negotiate.go, which decides by the Accept header how to answer, and with answer.go,
// through which answers leave. decode.go reads a body; limit.go, entry.go and patchwork.go bound
// what a small body can cost. protobuf.go and yaml.go make the other encodings from what is stored,
// which is JSON.
package wire
