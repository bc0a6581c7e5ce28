-- Sets the usage of a quota to the counted usage: see migrations/functions/recount.sql.
SELECT woken FROM recount(
    _quota => $1, _since => $2, _revision => $3, _resource => $4, _hard => $5::text[]::numeric[], _limited => $6,
    _used => $7::text[]::numeric[], _format => $8)
