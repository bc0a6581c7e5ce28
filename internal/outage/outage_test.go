package outage

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestRecord(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for _, want := range []Outage{{Fault: Failed, From: noon}, {Fault: Unreachable, From: noon, To: noon.Add(time.Minute)}, {Fault: Failed, From: noon, To: noon}} {
		if got, err := Parse(want.String()); err != nil || got != want {
			t.Errorf("%s reads back as %v, %v", want, got, err)
		}
	}
	for _, record := range []string{"", "failed", "melted 2026-01-02T12:00:00Z", "failed soon", "failed 2026-01-02T12:00:00Z then",
		"failed 2026-01-02T12:00:00Z 2026-01-02T11:00:00Z", "failed 2026-01-02T12:00:00Z 2026-01-02T12:00:00Z x"} {
		if got, err := Parse(record); err == nil {
			t.Errorf("%q reads as %v, want an error", record, got)
		}
	}
}

func TestSilent(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, fault, record string
		want                bool
	}{
		{"well", "", "", false},
		{"a fault that nobody has seen yet", Failed, "", true},
		{"a fault", Unreachable, "unreachable 2026-01-02T12:00:00Z", true},
		{"a return that nobody has seen yet", "", "failed 2026-01-02T12:00:00Z", true},
		{"back", "", "failed 2026-01-02T12:00:00Z 2026-01-02T12:05:00Z", false},
		{"out again", Failed, "failed 2026-01-02T12:00:00Z 2026-01-02T12:05:00Z", true},
		{"nonsense", "melted", "long ago", false},
	}
	for _, tt := range tests {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{}}}
		if tt.fault != "" {
			n.Annotations[Annotation] = tt.fault
		}
		if tt.record != "" {
			n.Annotations[Record] = tt.record
		}
		if got := Silent(n); got != tt.want {
			t.Errorf("%s: silent is %v, want %v", tt.name, got, tt.want)
		}
	}
}
