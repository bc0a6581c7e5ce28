// Package file has the utilities that make, change, move, remove, pack and describe files: ls, cp,
// chmod, tar and the like.
package file

import "github.com/rowlock/rowlock/internal/emulator/utility"

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	// Files and directories as a whole.
	"ls":      {Whole: ls},
	"cp":      {Whole: cp},
	"mv":      {Whole: mv},
	"ln":      {Whole: ln},
	"install": {Whole: install},
	"rm":      {Whole: rm},
	"rmdir":   {Whole: rmdir},
	"mkdir":   {Whole: mkdir},
	"mkfifo":  {Whole: mkfifo},
	"mktemp":  {Whole: mktemp},
	"touch":   {Whole: touch},

	// What is known about them.
	"stat":  {Whole: stat},
	"chmod": {Whole: chmod},
	"chown": {Whole: chown},
	"chgrp": {Whole: chown},
	"du":    {Whole: du},
	"df":    {Whole: df},

	// Their names.
	"basename": {Whole: basename},
	"dirname":  {Whole: dirname},
	"readlink": {Whole: readlink},
	"realpath": {Whole: realpath},
	"pwd":      {Whole: pwd},
	"which":    {Whole: which},

	// Their content.
	"dd":       {New: func() utility.Stream { return &dd{} }},
	"truncate": {Whole: truncate},
	"gzip":     {Whole: gzipFiles, Stdin: utility.UnlessFiles("")},
	"gunzip":   {Whole: gzipFiles, Stdin: utility.UnlessFiles("")},
	"zcat":     {Whole: gzipFiles, Stdin: utility.UnlessFiles("")},
	"tar":      {Whole: tarFiles, Stdin: tarReads},
}
