package text

import (
	"encoding/hex"
	"hash"
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func sums(name string, fresh func() hash.Hash) utility.Utility {
	whole := func(c *utility.Call, stdin []byte) int { return sum(c, name, fresh, stdin) }
	return utility.Utility{Whole: whole, Stdin: utility.UnlessFiles("")}
}

// sum prints the checksums of files, or verifies them with -c.
func sum(c *utility.Call, name string, fresh func() hash.Hash, stdin []byte) int {
	// -b has no effect: text is never converted.
	o := c.Parse(utility.Syntax{Short: "cbtsw", Long: map[string]byte{
		"check": 'c', "binary": 'b', "text": 't', "status": 's', "quiet": 'q', "warn": 'w', "tag": 'T',
	}})
	digest := func(data []byte) string {
		c.Step(int64(len(data))/12 + 4)
		h := fresh()
		_, _ = h.Write(data)
		return hex.EncodeToString(h.Sum(nil))
	}
	if o.Has('c') {
		return checkSums(c, o, digest, stdin)
	}
	failed := false
	for _, file := range utility.OrStdin(o.Rest) {
		data, err := c.ReadInput(file, stdin)
		if err != nil {
			c.CantOpen(file, err)
			failed = true
			continue
		}
		switch {
		case o.Has('T'):
			c.Printf("%s (%s) = %s\n", name, file, digest(data))
		case o.Latest("bt") == 'b':
			c.Printf("%s *%s\n", digest(data), file)
		default:
			c.Printf("%s  %s\n", digest(data), file)
		}
	}
	return utility.ExitIf(failed)
}

func checkSums(c *utility.Call, o *utility.Options, digest func([]byte) string, stdin []byte) int {
	wrong, missing, seen := 0, 0, 0
	for _, list := range utility.OrStdin(o.Rest) {
		for _, line := range mustRead(c, list, stdin, 1) {
			want, file, ok := strings.Cut(string(line), " ")
			if !ok || len(file) < 2 {
				continue
			}
			seen++
			file = file[1:]
			data, err := c.ReadInput(file, stdin)
			said := "OK"
			switch {
			case err != nil:
				c.CantOpen(file, err)
				missing++
				said = "FAILED open or read"
				if !c.GNU {
					said = "FAILED"
				}
			case !strings.EqualFold(digest(data), want):
				wrong++
				said = "FAILED"
			}
			if !o.Has('s') && !(o.Has('q') && said == "OK") {
				c.Printf("%s: %s\n", file, said)
			}
		}
	}
	switch {
	case seen == 0:
		c.Complain("%s: no properly formatted checksum lines found", strings.Join(utility.OrStdin(o.Rest), " "))
		return 1
	case !c.GNU && wrong+missing > 0:
		c.Complain("WARNING: %d of %d computed checksums did NOT match", wrong+missing, seen)
	case !o.Has('s') && wrong > 0:
		c.Complain("WARNING: %d computed checksum%s did NOT match", wrong, plural(wrong))
	}
	return utility.ExitIf(wrong+missing > 0)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// cksum prints the CRC that POSIX defines, and the size.
func cksum(c *utility.Call, stdin []byte) int {
	o := c.Parse(utility.Syntax{})
	failed := false
	for _, file := range utility.OrStdin(o.Rest) {
		data, err := c.ReadInput(file, stdin)
		if err != nil {
			c.Complain("%s: %s", file, vfs.Reason(err))
			failed = true
			continue
		}
		c.Step(int64(len(data)) / 2)
		var crc uint32
		feedByte := func(b byte) {
			crc ^= uint32(b) << 24
			for range 8 {
				if crc&(1<<31) != 0 {
					crc = crc<<1 ^ 0x04c11db7
				} else {
					crc <<= 1
				}
			}
		}
		for _, b := range data {
			feedByte(b)
		}
		for n := len(data); n > 0; n >>= 8 {
			feedByte(byte(n))
		}
		c.Printf("%d %d", ^crc, len(data))
		if len(o.Rest) > 0 {
			c.Print(" " + file)
		}
		c.Print("\n")
	}
	return utility.ExitIf(failed)
}
