// Package batch defines Job and CronJob. Start with job.go; the files with a Job's rules are named
// after the part of the spec or status that they validate.
package batch
