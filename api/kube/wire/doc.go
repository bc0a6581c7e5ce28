// Package wire decodes the bodies of Kubernetes API requests and encodes answers. It deals with
// media types, encodings and limits, and not with verbs.
//
// Start with negotiate.go, which chooses the format of the answer from the Accept header, and
// answer.go, which sends it. decode.go reads a body; limit.go, entry.go and patchwork.go limit what
// a small body can cost. protobuf.go and yaml.go convert stored JSON to the other encodings.
package wire
