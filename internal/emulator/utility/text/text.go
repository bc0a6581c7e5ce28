// Package text has the utilities that read text, or bytes, and print something of it: cat, grep,
// sort, diff, od and the like.
package text

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	// Files as they are, and parts of them.
	"cat":  {New: func() utility.Stream { return &cat{} }},
	"head": {New: func() utility.Stream { return &head{} }},
	"tail": {New: func() utility.Stream { return &tail{} }},
	"tee":  {New: func() utility.Stream { return &tee{} }},
	"tac":  {Whole: tac, Stdin: utility.UnlessFiles("")},

	// Lines, words and characters.
	"cut":   {New: func() utility.Stream { return &cut{} }},
	"paste": {Whole: paste, Stdin: utility.UnlessFiles("d", "delimiters")},
	"tr":    {New: func() utility.Stream { return &tr{} }},
	"rev":   {New: func() utility.Stream { return &rev{} }},
	"nl":    {New: func() utility.Stream { return &nl{} }},
	"fold":  {New: func() utility.Stream { return &fold{} }},
	"wc":    {New: func() utility.Stream { return &wc{} }},
	"grep":  {New: newGrep},
	"egrep": {New: newGrep},
	"fgrep": {New: newGrep},

	// Order, and what files have in common.
	"sort": {Whole: sortLines, Stdin: utility.UnlessFiles("oktST", "output", "key", "field-separator", "buffer-size", "temporary-directory")},
	"uniq": {New: func() utility.Stream { return &uniq{} }},
	"comm": {Whole: comm, Stdin: utility.IfAsked("")},
	"join": {Whole: join, Stdin: utility.IfAsked("t12jav")},
	"shuf": {Whole: shuf, Stdin: shufReads},
	"diff": {Whole: diff, Stdin: utility.IfAsked("U")},
	"cmp":  {Whole: cmpFiles, Stdin: cmpReads},

	// Bytes.
	"od":      {Whole: od, Stdin: utility.UnlessFiles("AtNj", "address-radix", "format", "read-bytes", "skip-bytes")},
	"hexdump": {Whole: hexdump, Stdin: utility.UnlessFiles("ns")},
	"hd":      {Whole: hexdump, Stdin: utility.UnlessFiles("ns")},
	"xxd":     {Whole: xxd, Stdin: utility.UnlessFiles("clsg")},
	"strings": {Whole: stringsIn, Stdin: utility.UnlessFiles("n")},
	"base64":  {New: func() utility.Stream { return &coder{} }},
	"base32":  {New: func() utility.Stream { return &coder{} }},

	// Checksums.
	"md5sum":    sums("MD5", md5.New),
	"sha1sum":   sums("SHA1", sha1.New),
	"sha224sum": sums("SHA224", sha256.New224),
	"sha256sum": sums("SHA256", sha256.New),
	"sha384sum": sums("SHA384", sha512.New384),
	"sha512sum": sums("SHA512", sha512.New),
	"cksum":     {Whole: cksum, Stdin: utility.UnlessFiles("")},
}
