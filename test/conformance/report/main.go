// Command conformance maintains docs/CONFORMANCE.md: it records the outcomes that a run of
// Kubernetes' end-to-end tests has reported, and rewrites the page.
//
//	go run ./test/conformance/report [report.xml ...]
//
// A report is the file that the tests' option --ginkgo.junit-report names. The outcomes are kept in
// test/conformance/report/outcomes.json, where the reasons of failures are written by hand. The
// command fails, after writing everything, if a test fails without a reason.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

const (
	outcomesFile = "test/conformance/report/outcomes.json"
	pageFile     = "docs/CONFORMANCE.md"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(reports []string) error {
	all, err := known(outcomesFile)
	if err != nil {
		return err
	}
	for _, name := range reports {
		done, err := readFile(name)
		if err != nil {
			return err
		}
		all = merge(all, done)
	}
	if err := save(outcomesFile, all); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := writePage(&text, all); err != nil {
		return err
	}
	if err := os.WriteFile(pageFile, text.Bytes(), 0o644); err != nil {
		return err
	}
	if names := unexplained(all); len(names) > 0 {
		return fmt.Errorf("say in %s why these fail:\n%s", outcomesFile, strings.Join(names, "\n"))
	}
	return nil
}

// known reads the outcomes of earlier runs.
func known(name string) (all []outcome, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// save writes them, one field per line, so that a change is easy to read.
func save(name string, all []outcome) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	return os.WriteFile(name, text.Bytes(), 0o644)
}

func readFile(name string) (done []outcome, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	done, err = readReport(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return done, nil
}
