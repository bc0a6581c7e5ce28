package faults

import (
	"fmt"
	"strings"

	"github.com/rowlock/rowlock/internal/fault"
)

// Summary describes in a few words what a fault does.
func Summary(s *fault.Spec) string {
	switch {
	case s.Pod != nil:
		return podSummary(s.Pod)
	case s.Node != nil:
		return "node " + s.Node.Name + " is " + s.Node.State
	case s.Image != nil:
		return "image " + s.Image.Image + " cannot be pulled"
	}
	return apiSummary(s.API)
}

func podSummary(p *fault.Pod) string {
	who := "pod " + p.Namespace + "/" + p.Name
	if p.Selector != "" {
		who = "pods " + p.Selector + " in " + p.Namespace
	}
	if p.Container != "" {
		who = "container " + p.Container + " of " + who
	}
	switch p.Action {
	case fault.Exit:
		return who + ": exit " + ending(p)
	case fault.CrashLoop:
		return who + ": crash loop, exit " + ending(p)
	case fault.OOM:
		return who + ": out of memory"
	case fault.Unready:
		return who + ": not ready"
	case fault.Stuck:
		return who + ": stuck when deleted"
	}
	return who + ": " + p.Action
}

func ending(p *fault.Pod) string {
	switch {
	case p.Signal != "":
		return "by signal " + p.Signal
	case p.ExitCode != nil:
		return fmt.Sprint(*p.ExitCode)
	}
	return "1"
}

func apiSummary(a *fault.API) string {
	var words []string
	for _, list := range [][]string{a.Verbs, a.Resources} {
		if len(list) > 0 {
			words = append(words, strings.Join(list, ","))
		}
	}
	if len(words) == 0 {
		words = []string{"requests"}
	}
	for _, list := range []struct {
		word    string
		entries []string
	}{{"in", a.Namespaces}, {"of", a.Names}, {"from", a.UserAgents}, {"by", a.Users}} {
		if len(list.entries) > 0 {
			words = append(words, list.word+" "+strings.Join(list.entries, ","))
		}
	}
	return strings.Join(words, " ") + ": " + strings.Join(effects(a), ", ")
}

// effects are what happens to requests, in order.
func effects(a *fault.API) (all []string) {
	if a.Delay != "" {
		all = append(all, "delay "+a.Delay)
	}
	switch {
	case a.Conflict:
		all = append(all, "conflict")
	case a.Status != 0:
		all = append(all, fmt.Sprint(a.Status))
	case a.Drop != "":
		all = append(all, "drop "+a.Drop)
	case a.Watch != "":
		all = append(all, a.Watch+" watch")
	}
	if a.After != "" {
		all = append(all, "after "+a.After)
	}
	if a.Probability != nil {
		all = append(all, fmt.Sprintf("with probability %v of seed %d", *a.Probability, a.Seed))
	}
	return all
}
