// Package node defines RuntimeClass. Its effect on Pods is in core/pod.
package node
