package emulator

import "time"

// Runtime is what runs in one Pod, as its kubelet drives it. There are two implementations: the
// machine, which runs the programs, and the closed form, which computes how programs run that only
// serve, sleep or are not known. Open chooses one. Where both apply, both behave the same. A
// Runtime is not safe for concurrent use.
type Runtime interface {
	Lifecycle
	Volumes
	Outside

	// Encode returns what must be remembered; nil if everything follows from the Pod's spec and
	// status. The error is ErrSize.
	Encode() ([]byte, error)

	// Retire drops what is no longer needed when no container will be started again. The logs stay.
	Retire()
}

// Lifecycle starts, watches and stops containers.
type Lifecycle interface { //nolint:interfacebloat // one door to what runs in a Pod, with one consumer: the kubelet
	// Start starts a run of a container at a time. The previous run must have ended. The error is a
	// *StartError: then the run has ended as it began, with exit code 128 and the error as its
	// termination message.
	Start(at time.Time, s Spec) error

	// Terminate tells a container at a time to stop within the grace. If the container is already
	// being stopped, its end can only come sooner. If it does not run, nothing happens. changed
	// reports whether anything happened; the closed form, which does not remember which containers
	// it told to stop, reports a change when the end has come.
	Terminate(at time.Time, container string, grace time.Duration) (changed bool)

	// Prepare makes a container run its preStop hook at a time, because it must stop within the
	// grace, and then wait for its turn, which comes with Terminate or when the grace is over.
	// Otherwise it is like Terminate.
	Prepare(at time.Time, container string, grace time.Duration) (changed bool)

	// Resize gives a running container other resources at a time. changed reports whether that must
	// be remembered.
	Resize(at time.Time, container string, r Resources) (changed bool)

	// Cut ends the container's run at a time, with an exit code that is known from elsewhere. That
	// is not an event.
	Cut(at time.Time, container string, code int32)

	// Run lets time pass up to and including until. It returns at the first event, at the first
	// question to the world outside, or when steps are used up. It never changes what happened
	// before.
	Run(until time.Time, steps int64) Stop

	// Take returns the events since the last Take, in order.
	Take() []News

	// Ahead returns the Stop that Run would return next, however late. It computes at most that
	// many steps ahead. After it only Queries may be called.
	Ahead(steps int64) Stop

	// Now is the time up to which the runtime has run.
	Now() time.Time

	// State returns the state of the container's current or last run; zero if the container was
	// never started.
	State(container string) State

	// Live reports whether any container runs.
	Live() bool
}

// Volumes are the files that the Pod's containers share.
type Volumes interface { //nolint:interfacebloat // one door to what runs in a Pod, with one consumer: the kubelet
	// HasFiles reports whether files, mounts, environments and command lines matter. If not, a Spec
	// needs only its Outline, and the other methods do nothing.
	HasFiles() bool

	// IsNamed reports whether the containers know the Pod's names and address. Identify sets them,
	// before the first start. Rename clears them, for another Identify.
	IsNamed() bool
	Identify(i Identity) error
	Rename()

	// Empty creates an empty volume that every user may write to, unless a volume of that name
	// exists. limit bounds it, in bytes; zero means all the room there is.
	Empty(at time.Time, name string, limit int64)

	// Show creates a volume with an image's files, unless a volume of that name exists.
	Show(at time.Time, name string, i *Image)

	// Write makes a volume hold exactly these files, all at once. changed reports whether that is a
	// change. gid owns the files if it is not 0. Files mounted by a sub path stay as they were.
	Write(at time.Time, name string, gid int, files []Projected) (changed bool, err error)

	// ReadFile returns the current content of a file in a volume.
	ReadFile(volume, file string) ([]byte, error)

	// ReadHost makes a volume show the node's files, ordered by path. changed reports whether
	// anything was new. A file that the Pod has changed since the last call keeps the Pod's
	// version.
	ReadHost(at time.Time, name string, files []HostFile) (changed bool)

	// WroteHost returns the files of the node that the Pod has changed in a volume since the last
	// ReadHost or WroteHost, ordered by path.
	WroteHost(name string) []HostFile
}

// Outside is the cluster as processes reach it, and the processes as the cluster reaches them.
type Outside interface { //nolint:interfacebloat // one door to what runs in a Pod, with one consumer: the kubelet
	// Queries returns the Pod's unanswered questions to the world outside, in order. Run does not
	// continue before they are answered, unless the Pod Serves.
	Queries() []Query

	// Answer answers a query at a time. The error says that there is no such query.
	Answer(at time.Time, query int, a Answer) error

	// Query returns an unanswered query; ok is false for none. Hold lets Run continue
	// without the answer, which may take long: Queries no longer returns the query.
	Query(query int) (q Query, ok bool)
	Hold(query int)

	// Serve answers a query that reaches one of the Pod's ports. If nothing listens there, the
	// outcome is OutcomeRefused. If the answer has a Later, it is not there yet: Later is the
	// number of the request, for Reply.
	Serve(q Query) Answer

	// Serves reports whether any server has requests to answer. Then Run continues even while there
	// are Queries.
	Serves() bool

	// Reply takes the answer to a request; done is false until there is one. The answer to an
	// unknown request is a reset.
	Reply(request int) (a Answer, done bool)

	// Receive is Serve for a request that comes from another Pod at a time.
	Receive(at time.Time, q Query) Answer
}

// Machine is a Runtime that runs the programs and lets callers look inside. New and Decode return
// one.
type Machine interface { //nolint:interfacebloat // one door to what runs in a Pod
	Runtime

	Sessions

	// SetMaker sets the maker of the content of files that were written with a Later; with nil they
	// stay empty. The maker is not part of the machine's state: in every process it makes the same
	// content for the same request.
	SetMaker(maker Maker)

	// Computes reports whether any process has work that takes only CPU time.
	Computes() bool

	// Return puts back events that were taken, so that the next Take returns them first. They are
	// stored.
	Return(news []News)

	// Logs returns the output of a run of a container up to Now, if it is the current run or the
	// one before it; an empty id means the current one. ok is false if there is no such run.
	Logs(container, id string) (log RunLog, ok bool)

	// Validate returns what is wrong with a machine that another program may have written; nil if
	// it can run. It reads all of the machine's directories.
	Validate() error
}

// Needs is what Open must know of a Pod.
type Needs struct {
	Seed       string // the Pod's uid
	Containers int    // the number of containers
	Volumes    int    // the number of volumes that can be written to
	Begin      time.Time

	// Running says that the programs must be run to know what they do.
	Running bool
}

// Open returns the runtime of a Pod: the machine from memory or, without a memory, a new machine if
// the Pod needs one, and otherwise the closed form. A runtime that does not come from memory has no
// runs yet. The errors are those of Decode.
func Open(memory []byte, n Needs, images Bases) (Runtime, error) {
	switch {
	case len(memory) > 0:
		return Decode(memory, images)
	case n.Running:
		return New(n.Seed, n.Containers, n.Volumes, n.Begin), nil
	}
	return &closedForm{}, nil
}

// New returns the machine of a Pod that has just come to its node. seed is the Pod's uid,
// containers the number of its containers, and volumes the number of volumes that it can write to.
func New(seed string, containers, volumes int, now time.Time) Machine {
	return newMachine(seed, containers, volumes, now)
}

// Decode returns the machine that was encoded; images hold the files of its containers' images. The
// errors are ErrFormat, ErrSize, and errors in the JSON.
func Decode(b []byte, images Bases) (Machine, error) {
	m, err := decode(b, images)
	if err != nil {
		return nil, err
	}
	return m, nil
}
