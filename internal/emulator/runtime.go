package emulator

import "time"

// Runtime is what runs in one Pod, as its kubelet drives it. There are two implementations: the machine, which runs the
// programs, and the closed form, which computes how programs run that only serve, sleep or are not known. Open chooses
// one. Both do the same where both apply. A Runtime is not safe for concurrent use.
type Runtime interface {
	Lifecycle
	Volumes
	Outside

	// Encode makes bytes of what has to be remembered; nil if everything follows from the Pod's spec and status. The
	// error is ErrSize.
	Encode() ([]byte, error)

	// Retire forgets what is of no use any more when no container will be started again. The logs stay.
	Retire()
}

// Lifecycle starts, watches and stops containers.
type Lifecycle interface { //nolint:interfacebloat // one door to what runs in a Pod, with one consumer: the kubelet
	// Start starts a run of a container at a time. The run before it must have ended. The error is a *StartError: then the
	// run has ended as it began, with exit code 128 and the error as its last words.
	Start(at time.Time, s Spec) error

	// Terminate tells a container at a time to stop within the grace. Of one that is being stopped already, only the end may
	// come sooner. Nothing happens if it does not run. changed says whether anything has happened; the closed form, which
	// does not remember whom it has told to stop, says so when the end has come.
	Terminate(at time.Time, container string, grace time.Duration) (changed bool)

	// Prepare has a container run its preStop hook at a time, as it is to stop within the grace, and wait for its turn: that comes by
	// Terminate, or when the grace is over. Else it is as Terminate.
	Prepare(at time.Time, container string, grace time.Duration) (changed bool)

	// Resize gives a container that runs other resources at a time, and says whether that has to be remembered.
	Resize(at time.Time, container string, r Resources) (changed bool)

	// Cut ends the container's run at a time, with an exit code that is known from elsewhere. It is no event.
	Cut(at time.Time, container string, code int32)

	// Run lets time pass up to and with until, and returns at the first event, at the first question to the world outside,
	// or when steps are used up. What happened before never changes.
	Run(until time.Time, steps int64) Stop

	// Take gives the events since the last Take, in order.
	Take() []News

	// Ahead says why Run would return next, however late that is. It looks so many steps ahead at most. After it only
	// Queries may be called.
	Ahead(steps int64) Stop

	// Now is how far time has passed.
	Now() time.Time

	// State is that of the container's current or last run; zero if it has never been started.
	State(container string) State

	// Live says whether any container runs.
	Live() bool
}

// Volumes are the files that the Pod's containers share.
type Volumes interface { //nolint:interfacebloat // one door to what runs in a Pod, with one consumer: the kubelet
	// HasFiles says whether files, mounts, environments and command lines matter. Where they do not, a Spec needs no more
	// than its Outline, and the other methods do nothing.
	HasFiles() bool

	// IsNamed says whether the containers know the Pod's names and address; Identify tells them, before the first start.
	// Rename has them forget, for another Identify.
	IsNamed() bool
	Identify(i Identity) error
	Rename()

	// Empty makes an empty volume that everybody may write to, unless there is one of that name. limit bounds it, in bytes;
	// zero stands for what there is room for.
	Empty(at time.Time, name string, limit int64)

	// Show makes a volume of an image's files, unless there is one of that name.
	Show(at time.Time, name string, i *Image)

	// Write makes a volume show these files and no others, all at once, and says whether that is a change. gid owns them, if
	// it is not 0. What is mounted by a sub path stays as it was.
	Write(at time.Time, name string, gid int, files []Projected) (changed bool, err error)

	// ReadFile is what a file of a volume holds now.
	ReadFile(volume, file string) ([]byte, error)

	// ReadHost makes a volume show the files that the node has, in the order of their paths, and says whether anything was
	// new. A file that the Pod has changed since the last time stays as the Pod has it.
	ReadHost(at time.Time, name string, files []HostFile) (changed bool)

	// WroteHost is what the Pod has changed of the node's files in a volume since the last ReadHost or WroteHost, in the
	// order of the paths.
	WroteHost(name string) []HostFile
}

// Outside is the cluster as processes reach it, and the processes as the cluster reaches them.
type Outside interface { //nolint:interfacebloat // one door to what runs in a Pod, with one consumer: the kubelet
	// Queries are what the Pod asks of the world outside and nobody has answered yet, in order. Run does not go on before
	// they are answered, unless the Pod Serves.
	Queries() []Query

	// Answer answers a query at a time. The error says that there is no such query.
	Answer(at time.Time, query int, a Answer) error

	// Query is one that is not answered yet; ok is false if there is none. Hold has Run go on without the answer, which takes its time: the
	// query is not among Queries any more.
	Query(query int) (q Query, ok bool)
	Hold(query int)

	// Serve answers a query that reaches one of the Pod's ports. Where nothing listens, the outcome is OutcomeRefused. With a Later in it
	// there is no answer yet, but a request of that number, for Reply.
	Serve(q Query) Answer

	// Serves says whether any server has requests to answer. Then Run goes on even while there are Queries.
	Serves() bool

	// Reply takes the answer to a request; done is false as long as there is none. One that is not known was reset.
	Reply(request int) (a Answer, done bool)

	// Receive is Serve for a request from another Pod, which comes at a time.
	Receive(at time.Time, q Query) Answer
}

// Machine is a Runtime that runs the programs, so that one can look inside. Make one with New or Decode.
type Machine interface { //nolint:interfacebloat // one door to what runs in a Pod
	Runtime

	Sessions

	// SetMaker says who makes the content of files that were written with a Later; nil leaves them empty. It is not part of the machine's
	// state: the maker of every process makes the same of a request.
	SetMaker(maker Maker)

	// Computes says whether any process has something to do that takes CPU time only.
	Computes() bool

	// Return gives back events that were taken, so that the next Take gives them, before all others. They are stored.
	Return(news []News)

	// Logs is what a run of a container has written up to Now, if it is the current run or the one before it; an empty id
	// stands for the current one. ok is false where there is no such run.
	Logs(container, id string) (log RunLog, ok bool)

	// Validate says what is wrong with a machine that another program may have written; nil for one that can run. It goes
	// through all of its directories.
	Validate() error
}

// RunLog is what one run of a container has written.
type RunLog struct {
	Lines   []Line
	Dropped int  // how many older lines have been given up
	Ended   bool // nothing more will come
}

// State is what there is to see of a container's run.
type State struct {
	ID      string // as Start gave it
	Started time.Time

	// Live says that it has not ended. Then HasStarted and IsReady are what the probes have found, InPostStart says that
	// the postStart hook runs, and IsStopping that it has been told to stop.
	Live                                         bool
	HasStarted, IsReady, InPostStart, IsStopping bool

	// What is known of its end. WasStopped says that it ended as it had been told to; a machine does not tell.
	Ended      time.Time
	ExitCode   int32
	OOM        bool
	Message    string // its last words
	WasStopped bool
}

// Needs is what Open must know of a Pod.
type Needs struct {
	Seed       string // the Pod's uid
	Containers int    // how many there are
	Volumes    int    // how many of those can be written to
	Begin      time.Time

	// Running says that what the containers do can only be told by running them.
	Running bool
}

// Open is the runtime of a Pod: the machine that is remembered or, without a memory, a new one if the Pod needs it, else the
// closed form. One that is not from a memory knows of no run yet. The errors are those of Decode.
func Open(memory []byte, n Needs, images Bases) (Runtime, error) {
	switch {
	case len(memory) > 0:
		return Decode(memory, images)
	case n.Running:
		return New(n.Seed, n.Containers, n.Volumes, n.Begin), nil
	}
	return &closedForm{}, nil
}

// New makes the machine of a Pod that has just come to its node. seed is the Pod's uid, containers how many it has and
// volumes how many of those it can write to.
func New(seed string, containers, volumes int, now time.Time) Machine {
	return newMachine(seed, containers, volumes, now)
}

// Decode makes the machine that was encoded; images have the files that its containers' images come with. The errors are
// ErrFormat and ErrSize, and what the JSON has wrong.
func Decode(b []byte, images Bases) (Machine, error) {
	m, err := decode(b, images)
	if err != nil {
		return nil, err
	}
	return m, nil
}
