package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// emulatorRoot is the package through which all others use the emulator.
const emulatorRoot = "internal/emulator"

// hostPackages access the host or its network, as do those below the directories in hostDirs except
// purePackages.
var (
	hostPackages = []string{"context", "crypto/rand", "io/ioutil", "log", "log/slog", "net", "os", "plugin", "syscall", "unsafe", "mvdan.cc/sh/v3/interp", "mvdan.cc/sh/v3/expand"}
	hostDirs     = []string{"net/", "os/", "golang.org/x/net/", "golang.org/x/sys/"}
	purePackages = []string{"net/netip", "net/textproto", "net/url"}
)

// reachesHost reports whether a package does.
func reachesHost(name string) bool {
	return slices.Contains(hostPackages, name) || !slices.Contains(purePackages, name) &&
		slices.ContainsFunc(hostDirs, func(dir string) bool { return strings.HasPrefix(name, dir) })
}

// emulatorAlone lists imports of the emulator's files from outside of it.
func emulatorAlone(s sources) (broken []string) {
	for _, f := range s.files {
		if f.test || !within(f.dir, emulatorRoot) {
			continue
		}
		for name, spec := range f.imports() {
			dir, ours := strings.CutPrefix(name, module)
			if ours && !within(dir, emulatorRoot) || reachesHost(name) {
				broken = append(broken, fmt.Sprintf("%s: %s", f.at(spec.Pos()), strings.TrimPrefix(name, module)))
			}
		}
	}
	return broken
}

// emulatorDoor lists imports of the emulator's inner packages by others. Tests may import them, to
// run programs of their own.
func emulatorDoor(s sources) (broken []string) {
	for _, f := range s.files {
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
