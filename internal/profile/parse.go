package profile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Problem is what is wrong with one annotation.
type Problem struct {
	Key, Value string
	Detail     string // in Kubernetes' wording, "must be an integer from 0 to 255"
}

// Validate validates the annotations under Prefix, in key order. isContainer reports whether the
// Pod has a container with a name.
func Validate(annotations map[string]string, isContainer func(name string) bool) []Problem {
	if !Has(annotations) {
		return nil
	}
	var problems []Problem
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		name, ours := strings.CutPrefix(key, Prefix)
		if !ours {
			continue
		}
		container, rest, named := strings.Cut(name, ".")
		if named {
			name = rest
		}
		value := annotations[key]
		detail := judge(name, value)
		if named && !isContainer(container) {
			detail = fmt.Sprintf("container %q not found", container)
		}
		if detail != "" {
			problems = append(problems, Problem{Key: key, Value: value, Detail: detail})
		}
	}
	return problems
}

// judge returns what is wrong with a value; "" for nothing.
func judge(name, value string) string {
	switch name {
	case StartDelay, StopTime, ReadinessDelay, FailureAfter:
		if _, err := parseDuration(value); err != nil {
			return `must be a duration such as "500ms" or "1m30s", at least 0s and at most 87600h`
		}
	case RunTime:
		if _, err := parseSpan(value); err != nil {
			return `must be a duration such as "30s", two with a hyphen between them such as "10s-1m", or "forever"`
		}
	case ExitCode, FailureExitCode:
		if _, err := strconv.ParseUint(value, 10, 8); err != nil {
			return "must be an integer from 0 to 255"
		}
	case FailureProbability:
		if _, err := parseProbability(value); err != nil {
			return `must be a number from 0 to 1 such as "0.25", or a percentage from "0%" to "100%"`
		}
	case Log:
		if len(value) > maxLog || !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n") {
			return fmt.Sprintf("must be one line of at most %d bytes", maxLog)
		}
	case CPUUsage, MemoryUsage:
		if _, err := parseQuantity(value); err != nil {
			return `must be a quantity such as "250m" or "64Mi", at least 0 and at most 1Pi`
		}
	case Seed:
	default:
		return "must be one of " + strings.Join(Names, ", ") + `, with a container's name and "." before it where it is about that one alone`
	}
	return ""
}

func parseDuration(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err == nil && (d < 0 || d > longest || strings.HasPrefix(value, "+") || strings.HasPrefix(value, "-")) {
		return 0, fmt.Errorf("duration %q is out of range", value)
	}
	return d, err
}

// mostUsage is the largest quantity that a profile may state.
var mostUsage = resource.MustParse("1Pi")

func parseQuantity(value string) (resource.Quantity, error) {
	const maxText = 24
	if len(value) > maxText {
		return resource.Quantity{}, fmt.Errorf("quantity %q is too long", value)
	}
	q, err := resource.ParseQuantity(value)
	if err == nil && (q.Sign() < 0 || q.Cmp(mostUsage) > 0) {
		return resource.Quantity{}, fmt.Errorf("quantity %q is out of range", value)
	}
	return q, err
}

func parseSpan(value string) (span, error) {
	if value == "forever" {
		return span{forever: true}, nil
	}
	from, to, ranged := strings.Cut(value, "-")
	least, err := parseDuration(from)
	if err != nil || !ranged {
		return span{least: least, most: least}, err
	}
	most, err := parseDuration(to)
	if err == nil && most < least {
		err = fmt.Errorf("%q ends before it begins", value)
	}
	return span{least: least, most: most}, err
}

func parseProbability(value string) (float64, error) {
	number, percent := strings.CutSuffix(value, "%")
	if strings.Trim(number, "0123456789.") != "" { // no exponents, signs, infinities
		return 0, fmt.Errorf("%q is not a plain number", value)
	}
	p, err := strconv.ParseFloat(number, 64)
	if percent {
		p /= 100
	}
	if err == nil && !(p >= 0 && p <= 1) {
		err = fmt.Errorf("%q is out of range", value)
	}
	return p, err
}

// The following parse values that judge has accepted.

func spanOf(value string) span {
	s, _ := parseSpan(value)
	return s
}

func probabilityOf(value string) float64 {
	p, _ := parseProbability(value)
	return p
}

func codeOf(value string) int32 {
	n, _ := strconv.ParseUint(value, 10, 8)
	return int32(n)
}
