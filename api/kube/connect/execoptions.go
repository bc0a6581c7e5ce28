package connect

import (
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/visit"
)

// Query parameters of attach and exec.
var (
	AttachQuery = []string{"container", "stdin", "stdout", "stderr", "tty"}
	ExecQuery   = append([]string{"command"}, AttachQuery...)
)

// asked is a request for a session.
type asked struct {
	start          visit.Start
	stdout, stderr bool
}

// sessionOptions parses the query of exec or attach.
//
// Source: kubernetes v1.36 pkg/apis/core/v1/conversion.go and staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/httpstream.go, NewOptions
func sessionOptions(req *http.Request, executes bool) (a asked, err error) {
	q := req.URL.Query()
	is := func(name string) bool { return truthy(q.Get(name)) }
	a = asked{start: visit.Start{Container: q.Get("container"), Stdin: is("stdin"), TTY: is("tty")}, stdout: is("stdout"), stderr: is("stderr") && !is("tty")}
	if executes {
		if a.start.Command = slices.DeleteFunc(q["command"], func(s string) bool { return s == "" && len(q["command"]) == 1 }); len(a.start.Command) == 0 {
			return a, apierrors.NewBadRequest("you must specify at least one command for the container")
		}
	}
	if !a.start.Stdin && !a.stdout && !a.stderr {
		return a, apierrors.NewBadRequest("you must specify at least 1 of stdin, stdout, stderr")
	}
	return a, nil
}

// truthy parses a boolean of a query.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/runtime/converter.go, Convert_Slice_string_To_bool
func truthy(s string) bool {
	return s != "" && s != "false" && s != "0" && s != "False" && s != "FALSE"
}
