// Package untranslated makes kubectl show its English texts as they are in its sources. Reading its
// translations costs a fifth of the processor time of a short command, and the tests start hundreds.
package untranslated

import "k8s.io/kubectl/pkg/util/i18n"

// kubectl's packages translate their texts while they are initialised, so this comes before them: Go
// initialises packages in the order of their paths, as far as their imports allow.
func init() {
	if err := i18n.SetLoadTranslationsFunc(func() error { return nil }); err != nil {
		panic(err)
	}
}
