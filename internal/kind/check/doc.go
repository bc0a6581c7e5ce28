// Package check holds validation rules that kinds of several groups share: metadata, names, enums,
// numbers, quantities. It depends on no kind. Errors equal those of Kubernetes, in the same order.
package check
