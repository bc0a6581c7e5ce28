// Package apps has Deployment, ReplicaSet, StatefulSet, DaemonSet and ControllerRevision. Begin
// with deployment.go. What they say of their Pods is judged by core/podspec.
package apps
