package wire

import (
	"sync/atomic"
	"testing"
	"testing/synctest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Requests that wait for YAML leave slots for read requests of other clients: when too many wait,
// further ones are rejected at once.
func TestConverter_Waiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := NewConverter()
		for range yamlPlaces {
			if err := c.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var entered, putOff atomic.Int64
		for range yamlWaiting + 100 {
			go func() {
				switch err := c.enter(t.Context()); {
				case err == nil:
					entered.Add(1)
				case apierrors.IsTooManyRequests(err):
					putOff.Add(1)
				default:
					t.Error(err)
				}
			}()
		}
		synctest.Wait()
		if entered.Load() != 0 || putOff.Load() != 100 {
			t.Errorf("at once, %d entered and %d were put off; want 0 and 100", entered.Load(), putOff.Load())
		}
		for range yamlPlaces {
			c.leave()
		}
		synctest.Wait()
		if entered.Load() != yamlPlaces || putOff.Load() != 100 {
			t.Errorf("when places are free, %d have entered and %d were put off; want %d and 100", entered.Load(), putOff.Load(), yamlPlaces)
		}
	})
}
