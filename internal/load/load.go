// Package load defines the declared work of a workload or a Service. A load is an annotation on the
// object:
//
//	emulation.rowlock.io/load: "cpu=4"
//	emulation.rowlock.io/load: "requests=300 request-cpu=5m night=20 peak=14:00 noise=10% seed=7"
//
// The ready Pods that the object selects share it equally, so that each has less to do when there
// are more of them. `kubectl top` and autoscalers see the result; containers behave no differently.
//
//	cpu          how much CPU all Pods use together, "4", "500m"; either this or requests
//	requests     how many requests a second there are for all Pods together
//	request-cpu  how much CPU a request a second takes; "10m" without it
//	steps        when the load changes, "5m:8,30m:2": after these times, counted from since
//	since        the time that steps count from, "2026-01-02T03:04:05Z"; the object's creation without it
//	night        a daily load: this much at its lowest, twelve hours after the peak
//	peak         when it is highest, "15:00" without it, in UTC
//	noise        how far it strays to either side, "10%" of itself, changing every 15 seconds
//	seed         any text, from which noise is drawn
//	container    which container has the work; the first one without it
//
// Everything here is a function of its arguments: the same load at the same cluster time is the
// same everywhere.
package load

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Annotation is the key of the annotation.
const Annotation = "emulation.rowlock.io/load"

// Window is how long noise stays the same: the time between two measurements.
const Window = 15 * time.Second

const (
	defaultPeak       = 15 * time.Hour
	defaultRequestCPU = 0.01 // cores
	day               = 24 * time.Hour
	maxText           = 1024
	maxSteps          = 100
	mostAmount        = 1e9
)

// Load is the amount of work over time.
type Load struct {
	// Requests says that amounts are requests a second, each of which takes RequestCPU cores;
	// otherwise they are cores.
	Requests   bool
	RequestCPU float64
	Container  string // "" for the first

	amount   float64
	steps    []step // by time
	since    time.Time
	hasNight bool
	night    float64
	peak     time.Duration // after midnight
	noise    float64       // part of the load
	seed     string
}

// step is an amount from a time on.
type step struct {
	after  time.Duration
	amount float64
}

// Parse parses a load. created is when its object was created. Errors are for people.
func Parse(text string, created time.Time) (Load, error) {
	l := Load{RequestCPU: defaultRequestCPU, since: created, peak: defaultPeak}
	if len(text) > maxText {
		return l, fmt.Errorf("it has more than %d bytes", maxText)
	}
	given := map[string]bool{}
	for _, word := range strings.Fields(text) {
		key, value, found := strings.Cut(word, "=")
		if !found || value == "" {
			return l, fmt.Errorf("%q is not of the form name=value", word)
		}
		if given[key] {
			return l, fmt.Errorf("%s is given twice", key)
		}
		given[key] = true
		if err := l.read(key, value); err != nil {
			return l, fmt.Errorf("%s: %w", key, err)
		}
	}
	if given["cpu"] == given["requests"] {
		return l, errors.New("it must have either cpu or requests")
	}
	return l, nil
}

// read parses one part.
func (l *Load) read(key, value string) (err error) {
	switch key {
	case "cpu":
		l.amount, err = amount(value)
	case "requests":
		l.Requests = true
		l.amount, err = amount(value)
	case "request-cpu":
		l.RequestCPU, err = amount(value)
	case "steps":
		l.steps, err = parseSteps(value)
	case "since":
		if l.since, err = time.Parse(time.RFC3339, value); err != nil {
			err = fmt.Errorf("%q is not a time such as 2026-01-02T03:04:05Z", value)
		}
	case "night":
		l.hasNight = true
		l.night, err = amount(value)
	case "peak":
		at, wrong := time.Parse("15:04", value)
		if wrong != nil {
			return fmt.Errorf("%q is not a time of day such as 15:00", value)
		}
		l.peak = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	case "noise":
		l.noise, err = part(value)
	case "seed":
		l.seed = value
	case "container":
		l.Container = value
	default:
		err = errors.New("there is no such part of a load")
	}
	return err
}

// amount parses a quantity.
func amount(text string) (float64, error) {
	const longest = 24
	q, err := resource.ParseQuantity(text)
	if err != nil || len(text) > longest || q.Sign() < 0 || q.AsApproximateFloat64() > mostAmount {
		return 0, fmt.Errorf(`%q is not a quantity such as "4" or "500m", at least 0 and at most 1G`, text)
	}
	return q.AsApproximateFloat64(), nil
}

func part(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseUint(number, 10, 8)
	if err != nil || !percent || n > 100 {
		return 0, fmt.Errorf("%q is not a percentage from 0%% to 100%%", text)
	}
	return float64(n) / 100, nil
}

func parseSteps(text string) (steps []step, err error) {
	for word := range strings.SplitSeq(text, ",") {
		after, value, found := strings.Cut(word, ":")
		var s step
		if s.after, err = time.ParseDuration(after); err != nil || !found || s.after < 0 {
			return nil, fmt.Errorf("%q is not a step such as 5m:8", word)
		}
		if n := len(steps); n > 0 && s.after <= steps[n-1].after {
			return nil, fmt.Errorf("%q comes before the step that it follows", word)
		}
		if s.amount, err = amount(value); err != nil {
			return nil, err
		}
		if steps = append(steps, s); len(steps) > maxSteps {
			return nil, fmt.Errorf("there are more than %d steps", maxSteps)
		}
	}
	return steps, nil
}

// At returns the total load at a time: cores, or requests a second.
func (l *Load) At(now time.Time) float64 {
	all := l.amount
	for _, s := range l.steps {
		if now.Sub(l.since) >= s.after {
			all = s.amount
		}
	}
	if l.hasNight {
		today := time.Duration(now.UnixNano() % int64(day))
		height := (1 + math.Cos(2*math.Pi*float64(today-l.peak)/float64(day))) / 2 // 1 at the peak, 0 at night
		all = l.night + (all-l.night)*height
	}
	if l.noise > 0 {
		all *= 1 + l.noise*(2*chance(l.seed, now.UnixNano()/int64(Window))-1)
	}
	return all
}

// CPUAt returns how many cores that takes.
func (l *Load) CPUAt(now time.Time) float64 {
	if l.Requests {
		return l.At(now) * l.RequestCPU
	}
	return l.At(now)
}

// chance returns a number from 0 up to but not including 1 that depends only on the seed and the
// number of a window.
func chance(seed string, window int64) float64 {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(seed + "/" + strconv.FormatInt(window, 10))) // a hash accepts everything
	mixed := hash.Sum64()
	mixed = (mixed ^ mixed>>33) * 0xff51afd7ed558ccd // similar texts differ in only a few bits
	mixed = (mixed ^ mixed>>33) * 0xc4ceb9fe1a85ec53
	return float64((mixed^mixed>>33)>>11) / (1 << 53)
}
