// Package autoscaling defines HorizontalPodAutoscaler in both served versions. Start with
// autoscaler.go; autoscalerv1.go converts the older version.
package autoscaling
