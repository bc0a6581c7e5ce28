package main

import (
	"testing"

	"github.com/spf13/pflag"
)

// FuzzNodeCapacity: amounts that --node-capacity accepts can be printed and parsed again.
func FuzzNodeCapacity(f *testing.F) {
	for _, text := range []string{
		"cpu=64,memory=256Gi,pods=20000", "cpu=1e3", "cpu=-1", "memory=1E2147483647", "a", "cpu=,=1", `"cpu=1"`,
		"cpu=0.0000000001n", "cpu=1000000000000000000000", "cpu=1000E",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var c config
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		c.flags(flags)
		if flags.Set("node-capacity", text) != nil {
			return
		}
		list, err := c.capacity()
		if err != nil {
			return
		}
		for name, q := range list {
			told := config{nodeCapacity: map[string]string{string(name): q.String()}}
			again, err := told.capacity()
			if got := again[name]; err != nil || got.Cmp(q) != 0 || q.Sign() < 0 {
				t.Errorf("%q: %s is %v, told again %v, %v", text, name, q.String(), again, err)
			}
		}
	})
}
