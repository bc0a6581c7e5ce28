package device_test

import (
	"errors"
	"testing"

	"github.com/rowlock/rowlock/internal/device"
)

func TestCheckSelector(t *testing.T) {
	t.Parallel()
	const nine = "[1,2,3,4,5,6,7,8,9]"
	costly := "g < 100"
	for _, variable := range []string{"g", "f", "e", "d", "c", "b", "a"} {
		costly = nine + ".all(" + variable + ", " + costly + ")"
	}
	for expression, want := range map[string]error{
		`device.driver == "gpu.example.com"`:        nil,
		`device.attributes["gpu.example.com"].fast`: nil,
		`device.allowMultipleAllocations`:           nil,
		`device.driver`:                             device.ErrSelector,
		`device.drivers == "gpu.example.com"`:       device.ErrSelector,
		costly:                                      device.ErrCost,
	} {
		if err := device.CheckSelector(expression); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", expression, err, want)
		}
	}
}
