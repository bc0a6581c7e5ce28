package kind

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
)

// Age formats how long before now t was, as tables do: "5m", "2d3h". The zero time is "<unknown>",
// and a time more than a second after now is "<invalid>".
//
// Source: kubernetes v1.36 pkg/printers/internalversion/printers.go, translateTimestampSince
func Age(t metav1.Time, now time.Time) string {
	if t.IsZero() {
		return "<unknown>"
	}
	return duration.HumanDuration(now.Sub(t.Time))
}
