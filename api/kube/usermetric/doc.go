// Package usermetric serves the custom and external metrics that users set, at the paths where
// metrics adapters serve theirs.
package usermetric
