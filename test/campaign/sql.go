package main

import _ "embed"

var (
	//go:embed sql/archive.sql
	sqlArchive string
	//go:embed sql/replicate.sql
	sqlReplicate string
	//go:embed sql/synchronous.sql
	sqlSynchronous string
	//go:embed sql/streaming.sql
	sqlStreaming string
	//go:embed sql/sessions.sql
	sqlSessions string
	//go:embed sql/databases.sql
	sqlDatabases string
	//go:embed sql/terminate.sql
	sqlTerminate string
	//go:embed sql/snapshot.sql
	sqlSnapshot string
	//go:embed sql/lock_table.sql
	sqlLockTable string
	//go:embed sql/asynchronous.sql
	sqlAsynchronous string
	//go:embed sql/promoted.sql
	sqlPromoted string
	//go:embed sql/revision.sql
	sqlRevision string
)
