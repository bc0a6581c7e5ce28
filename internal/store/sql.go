package store

import _ "embed"

// The statements, each in its file under sql/ and named like the method that runs it.
var (
	//go:embed sql/apply.sql
	sqlApply string
	//go:embed sql/remember.sql
	sqlRemember string
	//go:embed sql/keep_files.sql
	sqlKeepFiles string
	//go:embed sql/node_files.sql
	sqlNodeFiles string
	//go:embed sql/forget_files.sql
	sqlForgetFiles string
	//go:embed sql/wake.sql
	sqlWake string
	//go:embed sql/memory.sql
	sqlMemory string
	//go:embed sql/forget.sql
	sqlForget string
	//go:embed sql/lock_head.sql
	sqlLockHead string
	//go:embed sql/find_write.sql
	sqlFindWrite string
	//go:embed sql/revision.sql
	sqlRevision string
	//go:embed sql/heads.sql
	sqlHeads string
	//go:embed sql/log_after.sql
	sqlLogAfter string
	//go:embed sql/log_row.sql
	sqlLogRow string
	//go:embed sql/at.sql
	sqlAt string
	//go:embed sql/changes.sql
	sqlChanges string
	//go:embed sql/compact.sql
	sqlCompact string
	//go:embed sql/compacted.sql
	sqlCompacted string
	//go:embed sql/lock_housekeeping.sql
	sqlLockHousekeeping string
	//go:embed sql/log_time.sql
	sqlLogTime string
	//go:embed sql/vacuum.sql
	sqlVacuum string
	//go:embed sql/notify.sql
	sqlNotify string
)
