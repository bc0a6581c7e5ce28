package vfs

import (
	"errors"
	"io/fs"
)

// Errno is an error number, with the text of Unix tools.
type Errno int

// The errors, with Linux' numbers.
const (
	EPERM        Errno = 1
	ENOENT       Errno = 2
	EIO          Errno = 5
	ENXIO        Errno = 6
	EBADF        Errno = 9
	EACCES       Errno = 13
	EBUSY        Errno = 16
	EEXIST       Errno = 17
	EXDEV        Errno = 18
	ENOTDIR      Errno = 20
	EISDIR       Errno = 21
	EINVAL       Errno = 22
	EFBIG        Errno = 27
	ENOSPC       Errno = 28
	EROFS        Errno = 30
	EMLINK       Errno = 31
	EPIPE        Errno = 32
	ENAMETOOLONG Errno = 36
	ENOTEMPTY    Errno = 39
	ELOOP        Errno = 40
)

var reasons = map[Errno]string{
	EPERM:        "Operation not permitted",
	ENOENT:       "No such file or directory",
	EIO:          "Input/output error",
	ENXIO:        "No such device or address",
	EBADF:        "Bad file descriptor",
	EACCES:       "Permission denied",
	EBUSY:        "Device or resource busy",
	EEXIST:       "File exists",
	EXDEV:        "Invalid cross-device link",
	ENOTDIR:      "Not a directory",
	EISDIR:       "Is a directory",
	EINVAL:       "Invalid argument",
	EFBIG:        "File too large",
	ENOSPC:       "No space left on device",
	EROFS:        "Read-only file system",
	EMLINK:       "Too many links",
	EPIPE:        "Broken pipe",
	ENAMETOOLONG: "File name too long",
	ENOTEMPTY:    "Directory not empty",
	ELOOP:        "Too many levels of symbolic links",
}

// Error returns the text that a Unix tool prints.
func (e Errno) Error() string {
	if text, ok := reasons[e]; ok {
		return text
	}
	return "Unknown error"
}

// Is makes errors.Is work with the general errors of io/fs.
func (e Errno) Is(target error) bool {
	switch target {
	case fs.ErrNotExist:
		return e == ENOENT
	case fs.ErrExist:
		return e == EEXIST || e == ENOTEMPTY
	case fs.ErrPermission:
		return e == EPERM || e == EACCES
	case fs.ErrInvalid:
		return e == EINVAL
	}
	return false
}

// Reason returns the text of an error without the operation and the path, as Unix tools print it
// after a colon.
func Reason(err error) string {
	var e Errno
	if errors.As(err, &e) {
		return e.Error()
	}
	return err.Error()
}

func fail(op, path string, e Errno) error { return &fs.PathError{Op: op, Path: path, Err: e} }
