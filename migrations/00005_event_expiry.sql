-- +goose Up
-- The first look for expired Events; every look asks for the next.
INSERT INTO wakeups (due, cause, uid, attempt, controller)
VALUES (cluster_now(), 0, '00000000-0000-0000-0000-000000000003', 0, 'eventexpiry');

-- +goose Down
DELETE FROM wakeups WHERE controller = 'eventexpiry';
