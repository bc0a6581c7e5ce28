package kernel_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// The stand-in replaces the program of the main process once. That is reported once, even if the
// kernel is stored before. Other processes have no stand-in.
func TestReplace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		standIn []Act
		do      []Act
		out     string
		stops   []kernel.Kind
	}{
		{"a main process", []Act{{Kind: "print", Text: "stand-in\n"}, {Kind: "exit", N: 3}},
			[]Act{{Kind: "replace", Text: "x"}}, "stand-in\n", []kernel.Kind{kernel.KindReplaced, kernel.KindExit}},
		{"only once", []Act{{Kind: "replace", Text: "x"}, {Kind: "exit", N: 3}},
			[]Act{{Kind: "replace", Text: "x"}}, "no stand-in\n", []kernel.Kind{kernel.KindReplaced, kernel.KindExit}},
		{"no stand-in", nil, []Act{{Kind: "replace", Text: "x"}, {Kind: "exit", N: 3}}, "no stand-in\n", []kernel.Kind{kernel.KindExit}},
		{"a child", []Act{{Kind: "print", Text: "stand-in\n"}}, []Act{{Kind: "child"}, {Kind: "replace", Text: "x"}}, "no stand-in\n", []kernel.Kind{kernel.KindQuiet}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k, out := newKernel(t, kernel.Limits{}, tt.do...)
			box := k.Sandbox("c")
			if tt.standIn != nil {
				box.StandIn.Program = &Actor{Do: tt.standIn}
			}
			var stops []kernel.Kind
			for range tt.stops {
				stop := run(k, time.Minute)
				if stops = append(stops, stop.Kind); stop.Kind == kernel.KindReplaced && stop.Replaced != (kernel.Replaced{Sandbox: "c", What: "x"}) {
					t.Errorf("reported %+v", stop.Replaced)
				}
				output := k.Output
				k = stored(t, k, box.FS)
				k.Output = output
			}
			if !slices.Equal(stops, tt.stops) || out.String() != tt.out {
				t.Errorf("stops %v, want %v; output %q, want %q", stops, tt.stops, out, tt.out)
			}
		})
	}
}

// stored returns the kernel after writing it and reading it back.
func stored(t *testing.T, k *kernel.Kernel, view *vfs.View) *kernel.Kernel {
	t.Helper()
	text, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	read := &kernel.Kernel{}
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	read.SetFS("c", view)
	return read
}
