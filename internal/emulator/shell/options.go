package shell

// options are the options of set.
type options struct {
	Errexit   bool `json:",omitempty"`
	Nounset   bool `json:",omitempty"`
	Xtrace    bool `json:",omitempty"`
	Noglob    bool `json:",omitempty"`
	Pipefail  bool `json:",omitempty"`
	Allexport bool `json:",omitempty"`
	Noclobber bool `json:",omitempty"`
	Noexec    bool `json:",omitempty"`
	Verbose   bool `json:",omitempty"`
	Nullglob  bool `json:",omitempty"`
	Lastpipe  bool `json:",omitempty"`
}

// set turns an option of set -o on or off; it returns false for an unknown option.
func (o *options) set(name string, on bool) bool {
	switch name {
	case "errexit":
		o.Errexit = on
	case "nounset":
		o.Nounset = on
	case "xtrace":
		o.Xtrace = on
	case "noglob":
		o.Noglob = on
	case "pipefail":
		o.Pipefail = on
	case "allexport":
		o.Allexport = on
	case "noclobber":
		o.Noclobber = on
	case "noexec":
		o.Noexec = on
	case "verbose":
		o.Verbose = on
	case "posix", "monitor", "notify", "hashall", "braceexpand", "errtrace", "functrace", "ignoreeof", "emacs", "vi", "nolog", "interactive-comments":
	default:
		return false
	}
	return true
}

var optionNames = map[byte]string{
	'e': "errexit", 'u': "nounset", 'x': "xtrace", 'f': "noglob", 'a': "allexport", 'C': "noclobber", 'n': "noexec", 'v': "verbose",
	'm': "monitor", 'b': "notify", 'h': "hashall", 'B': "braceexpand", 'E': "errtrace", 'T': "functrace",
}

// letter is set for an option of one letter.
func (o *options) letter(c byte, on bool) bool {
	name, ok := optionNames[c]
	return ok && o.set(name, on)
}

func (o *options) on(name string) bool {
	switch name {
	case "errexit":
		return o.Errexit
	case "nounset":
		return o.Nounset
	case "xtrace":
		return o.Xtrace
	case "noglob":
		return o.Noglob
	case "pipefail":
		return o.Pipefail
	case "allexport":
		return o.Allexport
	case "noclobber":
		return o.Noclobber
	case "noexec":
		return o.Noexec
	case "verbose":
		return o.Verbose
	}
	return false
}

func (o *options) letters() string {
	var b []byte
	for _, c := range []byte("aefuvxCn") {
		if o.on(optionNames[c]) {
			b = append(b, c)
		}
	}
	return string(b)
}
