// Package scheduling defines PriorityClass.
package scheduling
