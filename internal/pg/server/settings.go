package server

import "strconv"

// settings are given on the command line, so that they belong to this binary and not to the one
// that created the data.
func settings(o Options) []string {
	connections := 200 // a replica and its forks
	if o.MaxConnections > 0 {
		connections = o.MaxConnections
	}
	all := []string{
		"max_connections=" + strconv.Itoa(connections),
		"shared_buffers=128MB",
		"synchronous_commit=on",
		"jit=off",
		"max_parallel_workers_per_gather=0",
		"shared_preload_libraries=plpgsql", // every session uses it
		"timezone=UTC",

		// A commit waits for its flush, not for the compression of what it flushes; checkpoints are
		// rare, because after each one the next change of every page writes the whole page again.
		"wal_compression=off",
		"checkpoint_timeout=15min",
		"max_wal_size=4GB",

		// The busiest tables are small and turn over many times a minute.
		"autovacuum_naptime=5s",
		"autovacuum_vacuum_scale_factor=0.05",
		"autovacuum_analyze_scale_factor=0.05",
		"autovacuum_vacuum_cost_limit=2000",

		// Refused statements are answers, which their sessions see; the log is for the server's own
		// events.
		"log_min_messages=log",
		"log_min_error_statement=panic",
		"log_checkpoints=off",
		"logging_collector=off",
		"log_line_prefix=%m [%p] ",
	}
	if o.Ephemeral {
		all = append(all, "fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0")
	} else {
		all = append(all, "fsync=on", "full_page_writes=on")
	}
	return all
}
