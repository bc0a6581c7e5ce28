-- Writes files of nodes, before apply locks the counter: see migrations/functions/keep_files.sql.
SELECT keep_files(_node => $1, _path => $2, _mode => $3, _uid => $4, _gid => $5, _content => $6)
