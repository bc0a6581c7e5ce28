package utility

import "maps"

// utilities holds all utilities by name.
var utilities = merged(plainUtilities, fileUtilities, makeUtilities, catUtilities, lsUtilities, testUtilities, printfUtilities, dateUtilities, textUtilities, numberUtilities, grepUtilities, sedUtilities, sortUtilities, cutUtilities, copyUtilities, pathUtilities, statUtilities, systemUtilities, findUtilities, digestUtilities, dumpUtilities, ddUtilities, diffUtilities, archiveUtilities, awkUtilities)

func merged(tables ...map[string]Utility) map[string]Utility {
	all := map[string]Utility{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}
