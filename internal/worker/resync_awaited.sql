-- Which of these objects (of all, where $2 is NULL) would the controller have looked at soon, or tried again, without what
-- it has claimed? Served by wakeups_object, or by wakeups_due.
SELECT DISTINCT uid FROM wakeups
WHERE controller = $1 AND ($2::uuid[] IS NULL OR uid = ANY ($2)) AND NOT id = ANY ($3)
  AND (attempt > 0 OR due <= cluster_now() + interval '1 min')
