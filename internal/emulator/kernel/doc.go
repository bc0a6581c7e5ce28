// Package kernel is a small deterministic Unix on which the containers of one emulated Pod run:
// processes, descriptors, pipes, signals and a clock. All of it is one value, which can be written
// as JSON and carried on elsewhere.
//
// A [Kernel] has sandboxes, one for each run of a container. A sandbox has its own pid namespace,
// in which pid 1 is the container's main process, unless it joins another namespace. A process runs
// a [Program]: a state machine whose Step does one small thing and returns what it waits for. A
// program reaches the world through its [Process]: descriptors, files of the sandbox's view,
// children, signals, and queries to the world outside the Pod. Nothing here knows the host: no
// file, no process, no network, no clock.
//
// # Time
//
// Time passes only in [Kernel.Run], from event to event. Each step of a process takes a little time
// on the process's own emulated CPU; the next step is due when that time has passed. If several
// steps are due at one instant, the oldest process goes first. So the inputs alone decide what
// happens, and when. Running to one time and then to a later one is the same as running to the
// later one at once. Writing the kernel as JSON in between and reading it back changes nothing.
//
// A step takes a microsecond at first. The more steps a sandbox takes without being idle, the
// slower its CPU gets: it becomes twice as slow with each [loadOctave] steps. So an endless loop
// costs a bounded number of steps for any span of time: about two and a half million for a day.
// Each idle second makes up for [idleRate] steps.
//
// # Inputs
//
// [Kernel.Spawn], [Kernel.Signal], [Kernel.Kill] and [Kernel.Answer] are inputs from outside. They
// happen at [Kernel.Now], the instant of the last thing that happened; call [Kernel.Advance] first
// to move it forward. The next Run shows their effects.
package kernel
