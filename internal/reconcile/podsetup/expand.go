package podsetup

import (
	"errors"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Argv composes the command line: command replaces entrypoint and cmd, args replaces only cmd.
// expand resolves references $(NAME) in command and args.
// Source: kubernetes v1.36 pkg/kubelet/container/helpers.go, ExpandContainerCommandAndArgs.
func Argv(c *corev1.Container, entrypoint, cmd []string, expand func(string) string) []string {
	expanded := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = expand(s)
		}
		return out
	}
	switch {
	case len(c.Command) > 0:
		return append(expanded(c.Command), expanded(c.Args)...)
	case len(c.Args) > 0:
		return append(entrypoint[:len(entrypoint):len(entrypoint)], expanded(c.Args)...)
	}
	return append(entrypoint[:len(entrypoint):len(entrypoint)], cmd...)
}

// Static resolves $(NAME) in the command of a probe, using only variables whose values are given in
// the container itself.
// Source: kubernetes v1.36 pkg/kubelet/container/helpers.go, ExpandContainerCommandOnlyStatic.
func Static(c *corev1.Container, command []string) []string {
	values := make(map[string]string, len(c.Env))
	for i := range c.Env {
		values[c.Env[i].Name] = c.Env[i].Value
	}
	out := make([]string, len(command))
	for i, s := range command {
		out[i] = expandIn(s, values)
	}
	return out
}

// expandIn replaces $(NAME) by the value in the first map that has it, and $$ by $. A reference to
// an unknown variable stays unchanged.
// Source: kubernetes v1.36 third_party/forked/golang/expansion/expand.go.
func expandIn(s string, from ...map[string]string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '$' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case '$':
			b.WriteByte('$')
		case '(':
			end := strings.IndexByte(s[i:], ')')
			if end < 0 {
				b.WriteString("$(")
				continue
			}
			b.WriteString(lookUp(s[i+1:i+end], from))
			i += end
		default:
			b.WriteByte('$')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func lookUp(name string, from []map[string]string) string {
	for _, m := range from {
		if value, ok := m[name]; ok {
			return value
		}
	}
	return "$(" + name + ")"
}

var errEnvFile = errors.New("invalid environment variable format")

// envFile finds a variable in a file of lines NAME='value'. A value extends to the next single
// quote, possibly over several lines. Lines that are empty or begin with # are ignored. A blank
// after the = makes the value empty.
// Source: kubernetes v1.36 pkg/kubelet/util/env, ParseEnv.
func envFile(text, key string) (string, error) {
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" || strings.TrimRight(name, " \t") != name {
			return "", errEnvFile
		}
		if value == "" || value[0] == ' ' || value[0] == '\t' {
			if strings.TrimLeft(value, " \t") == value {
				return "", errEnvFile
			}
			if name == key {
				return "", nil
			}
			continue
		}
		if value[0] != '\'' {
			return "", errEnvFile
		}
		rest := value[1:] + "\n" + text
		value, rest, ok = strings.Cut(rest, "'")
		if !ok {
			return "", errEnvFile
		}
		var after string
		after, text, _ = strings.Cut(rest, "\n")
		if after = strings.TrimLeft(after, " \t"); after != "" && after[0] != '#' {
			return "", errEnvFile
		}
		if name == key {
			return value, nil
		}
	}
	return "", nil
}
