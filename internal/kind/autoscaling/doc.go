// Package autoscaling has HorizontalPodAutoscaler in both versions that are served. Begin with
// autoscaler.go; autoscalerv1.go converts the older version.
package autoscaling
