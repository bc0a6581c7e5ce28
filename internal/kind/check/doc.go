// Package check has validation rules that kinds of several groups share: metadata, names, enums,
// numbers, quantities. It knows no kind. Errors are those of Kubernetes, in its order.
package check
