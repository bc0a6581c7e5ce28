// Package batch has Job and CronJob. Begin with job.go; the files of a Job's rules are named after
// the part of the spec or status that they judge.
package batch
