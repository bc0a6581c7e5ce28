package emulator

import (
	"fmt"
	"path"
	"strconv"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// cgroupDir is where programs read their resources.
const cgroupDir = "/sys/fs/cgroup"

const (
	cpuPeriod   = 100_000 // microseconds
	cpuMinQuota = 1_000
	cpuMinShare = 2
	cpuMaxShare = 262_144
)

// files returns the files of a control group that show resources.
// Source: kubernetes v1.36 pkg/kubelet/cm/helpers_linux.go, MilliCPUToQuota and MilliCPUToShares; cgroup_manager_linux.go, getCPUWeight.
func (r Resources) files() map[string]string {
	quota, limit := "max", "max"
	if r.MilliCPULimit > 0 {
		quota = strconv.FormatInt(max(r.MilliCPULimit*cpuPeriod/1000, cpuMinQuota), 10)
	}
	if r.MemoryLimit > 0 {
		limit = strconv.FormatInt(r.MemoryLimit, 10)
	}
	request := r.MilliCPURequest
	if request == 0 {
		request = r.MilliCPULimit
	}
	shares := min(max(request*1024/1000, cpuMinShare), cpuMaxShare)
	return map[string]string{
		"cpu.max":     fmt.Sprintf("%s %d\n", quota, cpuPeriod),
		"cpu.weight":  fmt.Sprintf("%d\n", 1+(shares-cpuMinShare)*9999/(cpuMaxShare-cpuMinShare)),
		"memory.max":  limit + "\n",
		"memory.min":  "0\n",
		"memory.high": "max\n",
	}
}

// showCgroup mounts the files of a run's control group.
func (m *machine) showCgroup(live *Live, r Resources) error {
	pod := m.Trees[podTree]
	if pod == nil {
		return nil
	}
	dir := cgroupOf(live)
	if err := m.writeCgroup(dir, r); err != nil {
		return err
	}
	return live.View.Mount(cgroupDir, pod, dir, true)
}

// showProcess mounts files of the container's first process below /proc: how likely it is killed
// when the node runs out of memory. It does nothing if the containers share a process namespace,
// where the first process is not the container's.
func (m *machine) showProcess(live *Live, s Spec) error {
	pod := m.Trees[podTree]
	if pod == nil || s.SharesProcesses || s.Target != "" {
		return nil
	}
	const name = "oom_score_adj"
	dir := "/process/" + live.Sandbox
	inside := vfs.NewView(pod, "", m.Now())
	if err := inside.MkdirAll(dir, 0o555); err != nil {
		return err
	}
	if err := inside.WriteFile(path.Join(dir, name), fmt.Appendln(nil, s.OOMScoreAdj), 0o644); err != nil {
		return err
	}
	for _, process := range []string{"1", "self"} {
		if err := live.View.Mount("/proc/"+process, pod, dir, true); err != nil {
			return err
		}
	}
	return nil
}

// cgroupOf is the directory of a run's control group in the Pod's tree.
func cgroupOf(live *Live) string { return "/cgroup/" + live.Sandbox }

func (m *machine) writeCgroup(dir string, r Resources) error {
	inside := vfs.NewView(m.Trees[podTree], "", m.Now())
	if err := inside.MkdirAll(dir, 0o555); err != nil {
		return err
	}
	for name, text := range r.files() {
		if err := inside.WriteFile(path.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Resize implements Runtime. A process that already exceeds the new limit is killed when it
// allocates more.
func (m *machine) Resize(at time.Time, container string, r Resources) (changed bool) {
	m.Kernel.Advance(at)
	c := m.Container(container)
	if c == nil || c.Run == nil || c.Run.Live == nil {
		return false
	}
	live := c.Run.Live
	if s := m.Kernel.Sandbox(live.Sandbox); s != nil {
		s.Limits.Bytes = memory(r.MemoryLimit, m.Share.Memory)
	}
	dir := cgroupOf(live)
	if _, err := vfs.NewView(m.Trees[podTree], "", m.Now()).Stat(dir); err == nil {
		_ = m.writeCgroup(dir, r) // the files are as small as before
	}
	return true
}

// memory is how many bytes a run's processes may hold: its own limit, at most its share of the
// machine's room.
func memory(limit, share int64) int64 {
	if limit > 0 {
		return min(limit, share)
	}
	return share
}
