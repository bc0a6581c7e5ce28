package store

import (
	_ "embed"
)

// Statements that package export also uses.
var (
	// SQLHeads reads the revisions of all live objects, in order.
	//
	//go:embed sql/heads.sql
	SQLHeads string
	// SQLLogTime reads when the first retained row from a revision on was committed.
	//
	//go:embed sql/log_time.sql
	SQLLogTime string
)

// The statements, each in its own file under sql/ and named like the method that runs it.
var (
	//go:embed sql/apply.sql
	sqlApply string
	//go:embed sql/remember.sql
	sqlRemember string
	//go:embed sql/remember_kept.sql
	sqlRememberKept string
	//go:embed sql/keep_files.sql
	sqlKeepFiles string
	//go:embed sql/exchange.sql
	sqlExchange string
	//go:embed sql/calls.sql
	sqlCalls string
	//go:embed sql/api_calls_take.sql
	sqlAPICallsTake string
	//go:embed sql/api_calls_open.sql
	sqlAPICallsOpen string
	//go:embed sql/answer_api_call.sql
	sqlAnswerAPICall string
	//go:embed sql/tally.sql
	sqlTally string
	//go:embed sql/node_files.sql
	sqlNodeFiles string
	//go:embed sql/recount.sql
	sqlRecount string
	//go:embed sql/await_room.sql
	sqlAwaitRoom string
	//go:embed sql/quota_states.sql
	sqlQuotaStates string
	//go:embed sql/wake.sql
	sqlWake string
	//go:embed sql/wake_later.sql
	sqlWakeLater string
	//go:embed sql/memory.sql
	sqlMemory string
	//go:embed sql/visit.sql
	sqlVisit string
	//go:embed sql/visit_outcome.sql
	sqlVisitOutcome string
	//go:embed sql/visit_wake.sql
	sqlVisitWake string
	//go:embed sql/sessions_begun.sql
	sqlSessionsBegun string
	//go:embed sql/sessions_over.sql
	sqlSessionsOver string
	//go:embed sql/memories.sql
	sqlMemories string
	//go:embed sql/lock_head.sql
	sqlLockHead string
	//go:embed sql/find_write.sql
	sqlFindWrite string
	//go:embed sql/size.sql
	sqlSize string
	//go:embed sql/lineage.sql
	sqlLineage string
	//go:embed sql/lineage_plain.sql
	sqlLineagePlain string
	//go:embed sql/lineage_keep.sql
	sqlLineageKeep string
	//go:embed sql/lineage_renew.sql
	sqlLineageRenew string
	//go:embed sql/lineage_forks.sql
	sqlLineageForks string
	//go:embed sql/lineage_advance.sql
	sqlLineageAdvance string
	//go:embed sql/lineage_addresses.sql
	sqlLineageAddresses string
	//go:embed sql/revision.sql
	sqlRevision string
	//go:embed sql/log_after.sql
	sqlLogAfter string
	//go:embed sql/log_row.sql
	sqlLogRow string
	//go:embed sql/at.sql
	sqlAt string
	//go:embed sql/log_entries.sql
	sqlLogEntries string
	//go:embed sql/log_entries_back.sql
	sqlLogEntriesBack string
	//go:embed sql/log_entries_of.sql
	sqlLogEntriesOf string
	//go:embed sql/log_entry.sql
	sqlLogEntry string
	//go:embed sql/log_bodies.sql
	sqlLogBodies string
	//go:embed sql/log_causes.sql
	sqlLogCauses string
	//go:embed sql/log_points.sql
	sqlLogPoints string
	//go:embed sql/at_from.sql
	sqlAtFrom string
	//go:embed sql/changes.sql
	sqlChanges string
	//go:embed sql/compact.sql
	sqlCompact string
	//go:embed sql/compacted.sql
	sqlCompacted string
	//go:embed sql/lock_housekeeping.sql
	sqlLockHousekeeping string
	//go:embed sql/vacuum.sql
	sqlVacuum string
)
