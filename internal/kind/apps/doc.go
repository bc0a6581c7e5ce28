// Package apps defines Deployment, ReplicaSet, StatefulSet, DaemonSet and ControllerRevision. Start
// with deployment.go. Package core/podspec validates their Pod templates.
package apps
