package utility

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strings"
)

var digestUtilities = map[string]Utility{
	"md5sum": sums("MD5", md5.New), "sha1sum": sums("SHA1", sha1.New), "sha224sum": sums("SHA224", sha256.New224), "sha256sum": sums("SHA256", sha256.New),
	"sha384sum": sums("SHA384", sha512.New384), "sha512sum": sums("SHA512", sha512.New),
	"base64": {stream: func() Stream { return &coder{} }}, "base32": {stream: func() Stream { return &coder{} }},
	"cksum": {whole: cksum, stdin: unlessFiles("")},
}

func sums(name string, fresh func() hash.Hash) Utility {
	return Utility{whole: func(c *Call, stdin []byte) int { return c.sum(name, fresh, stdin) }, stdin: unlessFiles("")}
}

// sum prints the checksums of files, or verifies them with -c.
func (c *Call) sum(name string, fresh func() hash.Hash, stdin []byte) int {
	// -b has no effect: text is never converted.
	o := c.parse(syntax{short: "cbtsw", long: map[string]byte{"check": 'c', "binary": 'b', "text": 't', "status": 's', "quiet": 'q', "warn": 'w', "tag": 'T'}})
	digest := func(data []byte) string {
		c.step(int64(len(data))/12 + 4)
		h := fresh()
		_, _ = h.Write(data)
		return hex.EncodeToString(h.Sum(nil))
	}
	if o.has('c') {
		return c.checkSums(o, digest, stdin)
	}
	failed := false
	for _, file := range orStdin(o.rest) {
		data, err := c.read(file, stdin)
		if err != nil {
			c.cantOpen(file, err)
			failed = true
			continue
		}
		switch {
		case o.has('T'):
			c.printf("%s (%s) = %s\n", name, file, digest(data))
		case o.latest("bt") == 'b':
			c.printf("%s *%s\n", digest(data), file)
		default:
			c.printf("%s  %s\n", digest(data), file)
		}
	}
	return exitIf(failed)
}

func (c *Call) checkSums(o *options, digest func([]byte) string, stdin []byte) int {
	wrong, missing, seen := 0, 0, 0
	for _, list := range orStdin(o.rest) {
		for _, line := range c.mustRead(list, stdin, 1) {
			want, file, ok := strings.Cut(string(line), " ")
			if !ok || len(file) < 2 {
				continue
			}
			seen++
			file = file[1:]
			data, err := c.read(file, stdin)
			said := "OK"
			switch {
			case err != nil:
				c.cantOpen(file, err)
				missing++
				said = "FAILED open or read"
				if !c.GNU {
					said = "FAILED"
				}
			case !strings.EqualFold(digest(data), want):
				wrong++
				said = "FAILED"
			}
			if !o.has('s') && !(o.has('q') && said == "OK") {
				c.printf("%s: %s\n", file, said)
			}
		}
	}
	switch {
	case seen == 0:
		c.complain("%s: no properly formatted checksum lines found", strings.Join(orStdin(o.rest), " "))
		return 1
	case !c.GNU && wrong+missing > 0:
		c.complain("WARNING: %d of %d computed checksums did NOT match", wrong+missing, seen)
	case !o.has('s') && wrong > 0:
		c.complain("WARNING: %d computed checksum%s did NOT match", wrong, plural(wrong))
	}
	return exitIf(wrong+missing > 0)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// cksum prints the CRC that POSIX defines, and the size.
func cksum(c *Call, stdin []byte) int {
	o := c.parse(syntax{})
	failed := false
	for _, file := range orStdin(o.rest) {
		data, err := c.read(file, stdin)
		if err != nil {
			c.complain("%s: %s", file, reason(err))
			failed = true
			continue
		}
		c.step(int64(len(data)) / 2)
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
		c.printf("%d %d", ^crc, len(data))
		if len(o.rest) > 0 {
			c.print(" " + file)
		}
		c.print("\n")
	}
	return exitIf(failed)
}
