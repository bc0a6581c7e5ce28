// Package kernel is a small deterministic Unix that the containers of one emulated Pod run on: processes, descriptors,
// pipes, signals and a clock, all of which is a value that can be written as JSON and carried on elsewhere.
//
// A [Kernel] has sandboxes, one for each run of a container. Each has a pid namespace of its own, in which pid 1 is the container's main
// process, unless it joins another. A process runs a [Program]: a state machine whose Step does one small thing and says what it
// waits for. What it reaches is its [Process]: descriptors, files of its sandbox's view, children, signals, and queries to
// the world outside the Pod. Nothing here knows the host: no file, no process, no network, no clock.
//
// # Time
//
// Time passes only in [Kernel.Run], from event to event. Each step of a process costs it a little time on an emulated CPU
// of its own; the next step is due when that has passed, and of all steps that are due at one instant the one of the oldest
// process comes first. So what happens, and when, follows from the inputs alone. Running to one time and then to a later
// one is the same as running to the later one at once, and writing the kernel as JSON in between and reading it again
// changes nothing.
//
// A step costs a microsecond at first. The more steps a sandbox takes without being idle, the slower its CPU gets, twice
// as slow with each [loadOctave] steps, so that an endless loop costs a bounded number of steps for any span of time:
// some two and a half million for a day. Idle time makes up for [idleRate] steps a second.
//
// # Inputs
//
// [Kernel.Spawn], [Kernel.Signal], [Kernel.Kill] and [Kernel.Answer] are inputs from outside. They happen at [Kernel.Now],
// the instant of the last thing that happened; [Kernel.Advance] moves it forward first. What they cause is seen by the
// next Run.
package kernel
