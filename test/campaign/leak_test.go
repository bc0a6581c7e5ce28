package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCensus(t *testing.T) {
	t.Parallel()
	before := census{goroutines: [replicas]int{70, 70, 70}, sessions: 30, most: 75, databases: 3}
	for _, tt := range []struct {
		name string
		now  census
		want []string
	}{
		{"as many", before, nil},
		{"full pools", census{goroutines: [replicas]int{155, 90, 70}, sessions: 75, most: 75, databases: 3}, nil},
		{"a goroutine for each request", census{goroutines: [replicas]int{70, 900, 70}, sessions: 30, most: 75, databases: 3}, []string{"replica-2 has 900 goroutines, and had 70"}},
		{"sessions of processes that are gone", census{goroutines: before.goroutines, sessions: 76, most: 75, databases: 3}, []string{"there are 76 sessions of replicas, which may have 75"}},
		{"a transaction that nobody ends", census{goroutines: before.goroutines, sessions: 30, stuck: 1, most: 75, databases: 3}, []string{"1 sessions are in a transaction in which nothing happens"}},
		{"a fork's database", census{goroutines: before.goroutines, sessions: 30, most: 75, databases: 4}, []string{"there are 4 databases, and were 3"}},
	} {
		if diff := cmp.Diff(tt.want, tt.now.leaked(before)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
