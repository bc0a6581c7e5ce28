// Package flowcontrol defines FlowSchema and PriorityLevelConfiguration, and the objects of both
// that every cluster has.
package flowcontrol
