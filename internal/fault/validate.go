package fault

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	// mostEntries is how many entries a list may have, mostText how many bytes a text.
	mostEntries, mostText = 100, 1024
	// longestDelay is the longest delay of a request, longestSpan the longest of other spans.
	longestDelay, longestSpan = 5 * time.Minute, 10 * 365 * 24 * time.Hour
)

// verbs are the verbs of requests.
var verbs = []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// Validate validates what a client requests: exactly one target, and the target itself. It does not
// check whether the target exists.
func (s *Spec) Validate() field.ErrorList {
	n := 0
	for _, given := range []bool{s.Pod != nil, s.Node != nil, s.Image != nil, s.API != nil} {
		if given {
			n++
		}
	}
	if n != 1 {
		return field.ErrorList{field.Required(field.NewPath("fault"), "exactly one of pod, node, image and api must be given")}
	}
	switch {
	case s.Pod != nil:
		return s.Pod.validate(field.NewPath("pod"))
	case s.Node != nil:
		return s.Node.validate(field.NewPath("node"))
	case s.Image != nil:
		return s.Image.validate(field.NewPath("image"))
	}
	return s.API.validate(field.NewPath("api"))
}

func (p *Pod) validate(at *field.Path) field.ErrorList {
	errs := text(at.Child("name"), p.Name)
	errs = append(errs, name(at.Child("namespace"), p.Namespace, validation.IsDNS1123Label)...)
	errs = append(errs, name(at.Child("container"), p.Container, validation.IsDNS1123Label)...)
	if (p.Name == "") == (p.Selector == "") {
		errs = append(errs, field.Required(at, "give either a name or a selector"))
	}
	if len(p.Selector) > mostText {
		errs = append(errs, field.TooLong(at.Child("selector"), p.Selector, mostText))
	} else if s, err := labels.Parse(p.Selector); err != nil {
		errs = append(errs, field.Invalid(at.Child("selector"), p.Selector, err.Error()))
	} else if p.Selector != "" && s.Empty() {
		errs = append(errs, field.Invalid(at.Child("selector"), p.Selector, "must name a label"))
	}
	if !slices.Contains(PodActions, p.Action) {
		return append(errs, field.NotSupported(at.Child("action"), p.Action, PodActions))
	}
	ends := p.Action == Exit || p.Action == CrashLoop
	if p.Container != "" && (p.Action == Stuck || p.Action == Evict) {
		errs = append(errs, field.Forbidden(at.Child("container"), "is not for "+p.Action+", which concerns the whole Pod"))
	}
	switch {
	case p.ExitCode != nil && !ends:
		errs = append(errs, field.Forbidden(at.Child("exitCode"), "is for exit and crashloop"))
	case p.ExitCode != nil && p.Signal != "":
		errs = append(errs, field.Forbidden(at.Child("signal"), "may not be given with an exitCode"))
	case p.ExitCode != nil && (*p.ExitCode < 0 || *p.ExitCode > 255):
		errs = append(errs, field.Invalid(at.Child("exitCode"), *p.ExitCode, "must be from 0 to 255"))
	case p.Signal != "" && !ends:
		errs = append(errs, field.Forbidden(at.Child("signal"), "is for exit and crashloop"))
	case p.Signal != "" && signalNumber(p.Signal) == 0:
		errs = append(errs, field.NotSupported(at.Child("signal"), p.Signal, slices.Sorted(maps.Keys(signals))))
	}
	if p.After != "" && p.Action != CrashLoop {
		errs = append(errs, field.Forbidden(at.Child("after"), "is for crashloop"))
	}
	return append(errs, span(at.Child("after"), p.After, longestSpan)...)
}

// signals are the signals that end a process, by name, with their numbers on Linux.
var signals = map[string]int32{
	"HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "TRAP": 5, "ABRT": 6, "BUS": 7, "FPE": 8, "KILL": 9, "USR1": 10, "SEGV": 11, "USR2": 12, "PIPE": 13,
	"ALRM": 14, "TERM": 15,
}

// signalNumber returns the number of a signal, given its name, with or without SIG, or its number;
// 0 for none.
func signalNumber(s string) int32 {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && n > 0 && n <= 64 {
		return int32(n)
	}
	return signals[strings.TrimPrefix(strings.ToUpper(s), "SIG")]
}

func (n *Node) validate(at *field.Path) (errs field.ErrorList) {
	if n.Name == "" {
		errs = append(errs, field.Required(at.Child("name"), ""))
	}
	errs = append(errs, text(at.Child("name"), n.Name)...)
	if !slices.Contains(NodeStates, n.State) {
		errs = append(errs, field.NotSupported(at.Child("state"), n.State, NodeStates))
	}
	return errs
}

func (i *Image) validate(at *field.Path) (errs field.ErrorList) {
	if i.Image == "" {
		errs = append(errs, field.Required(at.Child("image"), ""))
	}
	errs = append(errs, text(at.Child("image"), i.Image)...)
	if i.Reason != "" && !slices.Contains(ImageReasons, i.Reason) {
		errs = append(errs, field.NotSupported(at.Child("reason"), i.Reason, ImageReasons))
	}
	return append(errs, text(at.Child("message"), i.Message)...)
}

func (a *API) validate(at *field.Path) (errs field.ErrorList) {
	for _, verb := range a.Verbs {
		if !slices.Contains(verbs, verb) && verb != "*" {
			errs = append(errs, field.NotSupported(at.Child("verbs"), verb, verbs))
		}
	}
	for _, list := range []struct {
		name    string
		entries []string
	}{
		{"verbs", a.Verbs}, {"resources", a.Resources}, {"namespaces", a.Namespaces}, {"names", a.Names}, {"userAgents", a.UserAgents}, {"users", a.Users},
	} {
		if len(list.entries) > mostEntries {
			errs = append(errs, field.TooMany(at.Child(list.name), len(list.entries), mostEntries))
			continue
		}
		for i, entry := range list.entries {
			if entry == "" {
				errs = append(errs, field.Required(at.Child(list.name).Index(i), ""))
			}
			errs = append(errs, text(at.Child(list.name).Index(i), entry)...)
		}
	}
	return append(errs, a.validateEffect(at)...)
}

func (a *API) validateEffect(at *field.Path) (errs field.ErrorList) {
	errs = append(errs, span(at.Child("delay"), a.Delay, longestDelay)...)
	errs = append(errs, span(at.Child("after"), a.After, longestSpan)...)
	errs = append(errs, text(at.Child("message"), a.Message)...)
	ends := 0
	for _, given := range []bool{a.Status != 0, a.Conflict, a.Drop != "", a.Watch != ""} {
		if given {
			ends++
		}
	}
	switch {
	case ends > 1:
		errs = append(errs, field.Forbidden(at, "only one of status, conflict, drop and watch can become of a request"))
	case ends == 0 && a.Delay == "":
		errs = append(errs, field.Required(at, "specify what happens to the requests: delay, status, conflict, drop or watch"))
	}
	if a.Status != 0 && (a.Status < 400 || a.Status > 599) {
		errs = append(errs, field.Invalid(at.Child("status"), a.Status, "must be from 400 to 599"))
	}
	if a.Drop != "" && a.Drop != Before && a.Drop != After {
		errs = append(errs, field.NotSupported(at.Child("drop"), a.Drop, []string{After, Before}))
	}
	if a.Watch != "" && a.Watch != Drop && a.Watch != Expire {
		errs = append(errs, field.NotSupported(at.Child("watch"), a.Watch, []string{Drop, Expire}))
	}
	if a.Watch != "" && len(a.Verbs) > 0 && !slices.Contains(a.Verbs, "watch") && !slices.Contains(a.Verbs, "*") {
		errs = append(errs, field.Invalid(at.Child("verbs"), strings.Join(a.Verbs, ","), "watches have the verb watch"))
	}
	if a.After != "" && a.Watch == "" {
		errs = append(errs, field.Forbidden(at.Child("after"), "is for watch"))
	}
	if a.Message != "" && a.Status == 0 {
		errs = append(errs, field.Forbidden(at.Child("message"), "is for status"))
	}
	if a.RetryAfter != "" {
		d, err := time.ParseDuration(a.RetryAfter)
		if err != nil || d < time.Second || d%time.Second != 0 || d > time.Hour {
			errs = append(errs, field.Invalid(at.Child("retryAfter"), a.RetryAfter, "must be whole seconds, such as 1s, up to 1h"))
		}
		if a.Status == 0 {
			errs = append(errs, field.Forbidden(at.Child("retryAfter"), "is for status"))
		}
	}
	if a.Count < 0 {
		errs = append(errs, field.Invalid(at.Child("count"), a.Count, "must be 0 or more"))
	}
	if p := a.Probability; p != nil && !(*p >= 0 && *p <= 1) || p != nil && math.IsNaN(*p) {
		errs = append(errs, field.Invalid(at.Child("probability"), *p, "must be from 0 to 1"))
	}
	return errs
}

// span validates a duration; "" means none.
func span(at *field.Path, value string, most time.Duration) field.ErrorList {
	if value == "" {
		return nil
	}
	if d, err := time.ParseDuration(value); err != nil || d < 0 || d > most {
		return field.ErrorList{field.Invalid(at, value, fmt.Sprintf("must be a duration such as 500ms or 1m30s, from 0s to %v", most))}
	}
	return nil
}

func text(at *field.Path, value string) field.ErrorList {
	if len(value) > mostText {
		return field.ErrorList{field.TooLong(at, value, mostText)}
	}
	if !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n\x00") {
		return field.ErrorList{field.Invalid(at, value, "must be one line of text")}
	}
	return nil
}

func name(at *field.Path, value string, judge func(string) []string) (errs field.ErrorList) {
	if value == "" {
		return nil
	}
	for _, message := range judge(value) {
		errs = append(errs, field.Invalid(at, value, message))
	}
	return errs
}

// duration parses a span that validate has accepted; "" is zero.
func duration(value string) time.Duration {
	d, _ := time.ParseDuration(value)
	return d
}
