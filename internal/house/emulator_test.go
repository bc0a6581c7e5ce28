package house

import (
	"fmt"
	"slices"
	"strings"
)

// emulatorRoot is the package through which all others use the emulator.
const emulatorRoot = "internal/emulator"

// hostPackages reach the host or its network.
var hostPackages = []string{"context", "crypto/rand", "log", "log/slog", "net", "net/http", "os", "plugin", "syscall"}

// emulatorAlone lists imports of the emulator's files that leave it.
func emulatorAlone(h house) (broken []string) {
	for _, f := range h.files {
		if f.test || !within(f.dir, emulatorRoot) {
			continue
		}
		for name, spec := range f.imports() {
			dir, ours := strings.CutPrefix(name, module)
			if ours && !within(dir, emulatorRoot) || slices.Contains(hostPackages, name) || strings.HasPrefix(name, "os/") {
				broken = append(broken, fmt.Sprintf("%s: %s", f.at(spec.Pos()), strings.TrimPrefix(name, module)))
			}
		}
	}
	return broken
}

// emulatorDoor lists imports of packages inside the emulator by others. Tests may, to run programs of their own.
func emulatorDoor(h house) (broken []string) {
	for _, f := range h.files {
		if f.test || within(f.dir, emulatorRoot) {
			continue
		}
		for name, spec := range f.imports() {
			if dir, ours := strings.CutPrefix(name, module); ours && dir != emulatorRoot && within(dir, emulatorRoot) {
				broken = append(broken, fmt.Sprintf("%s: %s", f.at(spec.Pos()), dir))
			}
		}
	}
	return broken
}
