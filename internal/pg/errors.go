package pg

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// The SQLSTATEs that Rowlock distinguishes. Source: PostgreSQL's manual, appendix A.
const (
	stateIdleInTransaction   = "25P03"
	stateReadOnly            = "25006"
	stateInvalidParameter    = "22023"
	stateUndefinedTable      = "42P01"
	stateUndefinedObject     = "42704"
	stateSerialization       = "40001"
	stateDeadlock            = "40P01"
	stateAdminShutdown       = "57P01"
	stateCrashShutdown       = "57P02"
	stateCannotConnectNow    = "57P03"
	stateIdleSession         = "57P05"
	stateForbidden           = "42501"
	stateUndefinedDatabase   = "3D000"
	stateObjectInUse         = "55006"
	stateDuplicate           = "23505"
	stateLockTimeout         = "55P03"
	stateUndefinedFunction   = "42883"
	stateUndefinedColumn     = "42703"
	stateInternal            = "XX000"
	stateIO                  = "58030"
	stateDiskFull            = "53100"
	stateTooManyConnections  = "53300"
	classUnsupported         = "0A"
	classConnectionException = "08"
)

// state returns the SQLSTATE that the server returned, "" if err is not from a server.
func state(err error) string {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Code
	}
	return ""
}

// IsUndefinedTable reports that a table does not exist, as in a database that was never migrated.
func IsUndefinedTable(err error) bool { return state(err) == stateUndefinedTable }

// IsInvalidSetting reports that the server refused a value, such as that of a setting which its
// platform lacks.
func IsInvalidSetting(err error) bool { return state(err) == stateInvalidParameter }

// IsForbidden reports that the user lacks a privilege.
func IsForbidden(err error) bool { return state(err) == stateForbidden }

// IsUnsupported reports that the server does not have a function, or does not offer it.
func IsUnsupported(err error) bool {
	return state(err) == stateUndefinedFunction || strings.HasPrefix(state(err), classUnsupported)
}

// IsDuplicate reports that a row would have been the second of its key.
func IsDuplicate(err error) bool { return state(err) == stateDuplicate }

// IsLockTimeout reports that a lock was not granted within its timeout.
func IsLockTimeout(err error) bool { return state(err) == stateLockTimeout }

// IsRaised reports that one of our statements raised an error with one of our codes.
func IsRaised(err error, code string) bool { return state(err) == code }

// Message returns the server's message for an error, without its code; the error's own text if it
// is not from a server.
func Message(err error) string {
	var answer *pgconn.PgError
	if errors.As(err, &answer) {
		return answer.Message
	}
	return err.Error()
}

// IsConnectionLoss reports that the session is gone, or was never established: the server shut
// down, crashed or ended the session, or the network failed. The outcome of what a lost session was
// doing is unknown, unless NothingSent says otherwise: a commit may have happened. A caller's own
// cancellation or deadline is not a loss.
func IsConnectionLoss(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if code := state(err); code != "" {
		switch code {
		case stateAdminShutdown, stateCrashShutdown, stateCannotConnectNow, stateIdleSession, stateIdleInTransaction:
			return true
		}
		return strings.HasPrefix(code, classConnectionException)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// IsExhausted reports that the server's disk is full or fails, or that it has no connection to
// spare. Nothing is wrong with the statement, and its transaction has no effect. A statement that
// needs more memory, locks or temporary files than the server allows is not included: repeating it
// does not help.
func IsExhausted(err error) bool {
	switch state(err) {
	case stateDiskFull, stateTooManyConnections, stateIO:
		return true
	}
	return false
}

// IsOtherSchema reports that a statement uses a function, a table or a column that the database
// does not have, as when a newer Rowlock has migrated it since this one was started. A function that
// is replaced while a session calls it is reported by an internal error, whose text PostgreSQL does
// not translate.
func IsOtherSchema(err error) bool {
	switch state(err) {
	case stateUndefinedFunction, stateUndefinedTable, stateUndefinedColumn:
		return true
	case stateInternal:
		return strings.HasPrefix(Message(err), "cache lookup failed for function")
	}
	return false
}

// IsRetryable reports that the same work may succeed if it is repeated: the connection was lost,
// the transaction lost against another, the server is exhausted (see IsExhausted), or it has become
// a standby. If the connection was lost during a commit, its outcome must be looked up first.
func IsRetryable(err error) bool {
	switch state(err) {
	case stateSerialization, stateDeadlock, stateReadOnly:
		return true
	}
	return IsExhausted(err) || IsConnectionLoss(err)
}

// NothingSent reports that err occurred before a byte of the statement left this process, so that
// it had no effect.
func NothingSent(err error) bool { return pgconn.SafeToRetry(err) }
