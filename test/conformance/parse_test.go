package conformance

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// step is one request of a story, and its answer.
type step struct {
	line    int
	head    string // the comments before it, and the blank lines
	request string // as written, up to the line of dashes
	want    string // Kubernetes' answer
	why     string // why Rowlock's answer differs; "" if it does not
	differs string // Rowlock's answer

	// The parts of the request, with its variables.
	method, path string
	headers      []string
	body         string
	keep         [][2]string // names and the paths of the fields
	show         []string
	frames       int
	await        string
}

const dashes, differing = "----", "---- differs: "

// parse reads a story.
func parse(text string) (steps []*step, err error) {
	s := &step{}
	var head, request, want, differs []string
	part := &head
	finish := func() error {
		s.head, s.request, s.want, s.differs = join(head), join(request), join(want), join(differs)
		steps = append(steps, s)
		err := s.read()
		s, head, request, want, differs = &step{}, nil, nil, nil, nil
		return err
	}
	for i, line := range strings.Split(strings.TrimRight(text, "\n")+"\n", "\n") {
		switch {
		case part == &head && (line == "" || line[0] == '#'):
		case part == &head:
			part, s.line = &request, i+1
		case line == dashes:
			part = &want
			continue
		case strings.HasPrefix(line, differing) && part == &want:
			part, s.why = &differs, strings.TrimPrefix(line, differing)
			continue
		case line == "" && (part == &want || part == &differs):
			if err := finish(); err != nil {
				return nil, err
			}
			part = &head
		}
		*part = append(*part, line)
	}
	if part == &request {
		return nil, fmt.Errorf("line %d: the request has no answer: a line of dashes is missing", s.line)
	}
	return steps, nil
}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// String returns the step as in its file.
func (s *step) String() string {
	out := s.head + s.request + dashes + "\n" + s.want
	if s.why != "" {
		out += differing + s.why + "\n" + s.differs
	}
	return out
}

var header = regexp.MustCompile(`^[A-Z][A-Za-z-]*: `)

// read reads the request's lines.
func (s *step) read() error {
	lines := strings.Split(strings.TrimRight(s.request, "\n"), "\n")
	var ok bool
	if s.method, s.path, ok = strings.Cut(lines[0], " "); !ok {
		return fmt.Errorf("line %d: no request: %s", s.line, lines[0])
	}
	for i, line := range lines[1:] {
		words := strings.SplitN(line, " ", 3)
		switch {
		case header.MatchString(line):
			s.headers = append(s.headers, line)
		case words[0] == "@keep" && len(words) == 3:
			s.keep = append(s.keep, [2]string{words[1], words[2]})
		case words[0] == "@show" && len(words) > 1:
			s.show = append(s.show, strings.TrimPrefix(line, "@show "))
		case words[0] == "@await" && len(words) > 1:
			s.await = strings.TrimPrefix(line, "@await ")
		case words[0] == "@frames" && len(words) == 2:
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return fmt.Errorf("line %d: %w", s.line, err)
			}
			s.frames = n
		case line != "" && line[0] == '@':
			return fmt.Errorf("line %d: nobody knows %s", s.line, line)
		default:
			s.body = strings.Join(lines[1+i:], "\n")
			return nil
		}
	}
	return nil
}
