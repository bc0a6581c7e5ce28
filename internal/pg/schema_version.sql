-- The newest migration in goose's own table, 0 for none.
SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied
