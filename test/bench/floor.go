package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/test/bench/floor"
)

// floorCommand is the first argument by which this program runs the server of package floor.
const floorCommand = "serve-floor"

// floorSize is about how many bytes a Pod of the workload has in a list.
const floorSize = 4850

// measureFloor makes requests of the other groups to a server that does next to nothing for them:
// what they take here is what the clients, HTTP, PostgreSQL and the machine take.
func measureFloor(ctx context.Context, o options, r *report) error {
	s, dataDir, err := startFresh(ctx, o) // for its PostgreSQL; it does nothing itself
	defer s.end()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server, client, err := startFloor(ctx, dataDir, o.pods)
	if err != nil {
		return err
	}
	cpu := func() cpuTime {
		return cpuTime{server: processes()[server.Process.Pid].own, database: s.cpu().database}
	}
	for _, v := range verbs(client.CoreV1().ConfigMaps(namespace)) {
		if v.name != "create" && v.name != "get" {
			continue
		}
		used := cpu()
		each, took, err := together(ctx, o.clients, o.objects, v.do)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		r.rateOf(fmt.Sprintf("floor: ConfigMap %s, %d clients", v.name, o.clients), each, took, cpu().minus(used))
	}
	used := cpu()
	each, megabytes, err := listPods(ctx, client, o.pods, "")
	if err != nil {
		return err
	}
	r.latency(fmt.Sprintf("floor: LIST of %.1f MB", megabytes), each, len(each), cpu().minus(used))
	used = cpu()
	if each, err = watchWrites(ctx, client, 1, o.writes); err != nil {
		return err
	}
	r.latency("floor: write → event, one watcher", each, o.writes, cpu().minus(used))
	stop()
	_ = server.Wait() // it was killed
	return s.stop()
}

// startFloor starts the server, in a process of its own. It is killed when ctx ends.
func startFloor(ctx context.Context, dataDir string, pods int) (*exec.Cmd, *kubernetes.Clientset, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	server := exec.CommandContext(ctx, program, floorCommand, databaseIn(dataDir), fmt.Sprint(pods))
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := server.Start(); err != nil {
		return nil, nil, err
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, nil, fmt.Errorf("the server of the floor has not started: %w", err)
	}
	client, err := kubernetes.NewForConfig(unlimited(&rest.Config{Host: strings.TrimSpace(url)}))
	return server, client, err
}

// serveFloor is the server's process: its arguments are the database and the number of Pods in its
// list. It prints its URL.
func serveFloor(ctx context.Context, args []string, stdout io.Writer) error {
	var pods int
	if len(args) != 2 {
		return fmt.Errorf("usage: %s DATABASE-URL PODS", floorCommand)
	}
	if _, err := fmt.Sscan(args[1], &pods); err != nil {
		return err
	}
	return floor.Serve(ctx, args[0], pods, floorSize, func(url string) { fmt.Fprintln(stdout, url) })
}
