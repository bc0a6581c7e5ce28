package v1_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/rowlocktest"
)

// A test pauses the clock and advances it by ten minutes.
func Example() {
	var t *testing.T // that of your test
	server, err := dial(rowlocktest.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	var clock v1.Clock
	if err := server.send(t.Context(), http.MethodPost, v1.ClockPath, v1.ClockRequest{Paused: new(true)}, &clock); err != nil {
		t.Fatal(err)
	}
	tenMinutes := v1.ClockRequest{Advance: &v1.ClockAdvanceRequest{By: new("10m")}}
	if err := server.send(t.Context(), http.MethodPost, v1.ClockPath+"?wait=1m", tenMinutes, &clock); err != nil {
		t.Fatal(err)
	}
	fmt.Println(clock.Now, clock.Advance.Phase == v1.AdvanceDone)
}

// server is a Rowlock.
type server struct {
	url  string
	http *http.Client
}

func dial(config *rest.Config) (server, error) {
	client, err := rest.HTTPClientFor(config)
	return server{config.Host, client}, err
}

// send sends a request and decodes the answer. An error of the server is an *apierrors.StatusError.
func (s server) send(ctx context.Context, method, path string, body, answer any) error {
	doc, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(doc))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if res.StatusCode != http.StatusOK {
		var status metav1.Status
		err := json.NewDecoder(res.Body).Decode(&status)
		return errors.Join(err, &apierrors.StatusError{ErrStatus: status})
	}
	return json.NewDecoder(res.Body).Decode(answer)
}

// The server accepts and returns these types: for the example, a fault, a fork and an error.
func TestTypes_MatchServer(t *testing.T) {
	t.Parallel()
	s, err := dial(rowlocktest.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	do := func(method, path string, body, answer any) {
		t.Helper()
		if err := s.send(t.Context(), method, path, body, answer); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	var before, after v1.Clock
	do(http.MethodPost, v1.ClockPath, v1.ClockRequest{Paused: new(true)}, &before)
	do(http.MethodPost, v1.ClockPath+"?wait=1m", v1.ClockRequest{Advance: &v1.ClockAdvanceRequest{By: new("10m")}}, &after)
	for after.Advance.Phase == v1.AdvanceRunning {
		do(http.MethodGet, v1.ClockPath+"?wait=1m", nil, &after)
	}
	if after.Advance.Phase != v1.AdvanceDone || !after.Now.Equal(before.Now.Add(10*time.Minute)) || !after.Paused {
		t.Errorf("ten minutes after %v the clock is %+v", before.Now, after)
	}

	var fault v1.Fault
	do(http.MethodPost, v1.FaultsPath, v1.FaultRequest{Name: "slow", API: &v1.APIFault{Resources: []string{"pods"}, Delay: "1s"}}, &fault)
	if fault.Name != "slow" || fault.API == nil || fault.API.Delay != "1s" {
		t.Errorf("the fault is %+v", fault)
	}
	var changes v1.ChangeList
	do(http.MethodGet, v1.ChangesPath+"?resource=nodes", nil, &changes)
	if len(changes.Items) == 0 || changes.Items[0].Verb != v1.Created || changes.Newest < changes.Items[0].Revision {
		t.Errorf("the changes of nodes are %+v", changes)
	}

	err = s.send(t.Context(), http.MethodPost, v1.ClockPath, v1.ClockRequest{}, &after)
	if !apierrors.IsInvalid(err) {
		t.Errorf("a request for nothing is answered with %v", err)
	}
}
