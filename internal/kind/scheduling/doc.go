// Package scheduling has PriorityClass.
package scheduling
