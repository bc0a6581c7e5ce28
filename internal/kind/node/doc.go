// Package node has RuntimeClass. What it does to Pods is in core/pod.
package node
