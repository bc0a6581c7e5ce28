package vfs

// Devices returns the special files of a container's /dev, for a Base.
func Devices() []Entry {
	var entries []Entry
	for _, name := range []string{"full", "null", "random", "tty", "urandom", "zero"} {
		entries = append(entries, Entry{Path: "/dev/" + name, Mode: ModeChar | 0o666, Device: name})
	}
	for _, name := range []string{"stderr", "stdin", "stdout"} {
		entries = append(entries, Entry{Path: "/dev/" + name, Mode: ModeChar | 0o666, Device: name})
	}
	return append(entries,
		Entry{Path: "/dev/shm", Mode: ModeDir | ModeSticky | 0o777},
		Entry{Path: "/dev/pts", Mode: ModeDir | 0o755},
	)
}
