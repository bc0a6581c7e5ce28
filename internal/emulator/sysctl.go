package emulator

import (
	"fmt"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// sysctlDir is where programs read and set kernel parameters.
const sysctlDir = "/proc/sys"

const sysctlTree = "sysctl"

// maxSysctlBytes bounds what a privileged container can write there.
const maxSysctlBytes = 64 << 10

// sysctls are the kernel parameters of every container before the Pod sets any. setSysctls adds the
// Pod's host name.
//
// Source: linux 6.12 Documentation/admin-guide/sysctl and Documentation/networking/ip-sysctl.rst, the defaults; containerd 2.0, which
// lets every user of a Pod ping and listen on low ports.
var sysctls = func() *vfs.Base {
	var entries []vfs.Entry
	for name, value := range map[string]string{
		"fs/file-max":                         "9223372036854775807",
		"kernel/hostname":                     "",
		"kernel/msgmax":                       "8192",
		"kernel/msgmnb":                       "16384",
		"kernel/msgmni":                       "32000",
		"kernel/osrelease":                    "6.12.0-rowlock",
		"kernel/ostype":                       "Linux",
		"kernel/pid_max":                      "4194304",
		"kernel/sem":                          "32000\t1024000000\t500\t32000",
		"kernel/shm_rmid_forced":              "0",
		"kernel/shmall":                       "18446744073692774399",
		"kernel/shmmax":                       "18446744073692774399",
		"kernel/shmmni":                       "4096",
		"net/core/somaxconn":                  "4096",
		"net/ipv4/ip_forward":                 "1",
		"net/ipv4/ip_local_port_range":        "32768\t60999",
		"net/ipv4/ip_local_reserved_ports":    "",
		"net/ipv4/ip_unprivileged_port_start": "0",
		"net/ipv4/ping_group_range":           "0\t2147483647",
		"net/ipv4/tcp_fin_timeout":            "60",
		"net/ipv4/tcp_keepalive_intvl":        "75",
		"net/ipv4/tcp_keepalive_probes":       "9",
		"net/ipv4/tcp_keepalive_time":         "7200",
		"net/ipv4/tcp_rmem":                   "4096\t131072\t6291456",
		"net/ipv4/tcp_syncookies":             "1",
		"net/ipv4/tcp_wmem":                   "4096\t16384\t4194304",
		"vm/max_map_count":                    "65530",
		"vm/overcommit_memory":                "0",
		"vm/swappiness":                       "60",
	} {
		entries = append(entries, vfs.Entry{Path: "/" + name, Mode: vfs.ModeRegular | 0o644, Data: []byte(value + "\n")})
	}
	b, err := vfs.NewBase(sysctlTree, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), entries)
	if err != nil {
		panic(err) // the list is fixed
	}
	return b
}()

// setSysctls sets the Pod's kernel parameters.
//
// Differs: any value is accepted. A real kernel refuses some, and then the Pod's sandbox cannot be
// created.
func (m *machine) setSysctls(i Identity) error {
	t := vfs.NewTree(sysctlTree, sysctls, m.Now())
	t.MaxBytes = maxSysctlBytes
	m.Trees[sysctlTree] = t
	v := vfs.NewView(t, "", m.Now())
	if err := v.WriteFile("/kernel/hostname", []byte(i.Hostname+"\n"), 0o644); err != nil {
		return fmt.Errorf("machine %s: %w", m.Seed, err)
	}
	for name, value := range i.Sysctls {
		if err := v.WriteFile("/"+strings.ReplaceAll(name, ".", "/"), []byte(value+"\n"), 0o644); err != nil {
			return fmt.Errorf("machine %s: sysctl %s: %w", m.Seed, name, err)
		}
	}
	return nil
}

// showSysctls mounts the kernel parameters, which only a privileged container can set.
func (m *machine) showSysctls(live *Live, privileged bool) error {
	t := m.Trees[sysctlTree]
	if t == nil {
		return nil // an earlier release created the machine
	}
	return live.View.Mount(sysctlDir, t, "/", !privileged)
}
