package device_test

import (
	"errors"
	"testing"

	"github.com/rowlock/rowlock/internal/device"
)

func TestCheckSelector(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]error{
		`device.driver == "gpu.example.com"`:        nil,
		`device.attributes["gpu.example.com"].fast`: nil,
		`device.allowMultipleAllocations`:           nil,
		`device.driver`:                             device.ErrSelector,
		`device.drivers == "gpu.example.com"`:       device.ErrSelector,
		`[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, [1,2,3,4,5,6,7,8,9].all(g, g < 100)))))))`: device.ErrCost,
	} {
		if err := device.CheckSelector(expression); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", expression, err, want)
		}
	}
}
