-- +goose Up

-- At a speed that is no whole number, the row before a change of the clock and the one after it may be rounded to neighbouring microseconds
-- although they say the same, and the clock go back by one. A microsecond more makes up for both roundings, of half of one at most each.
-- +goose StatementBegin
SELECT amend('clock_change', '(at_ - c.anchor_real) * c.speed,',
    '(at_ - c.anchor_real) * c.speed + CASE WHEN c.speed <> trunc(c.speed) THEN interval ''1 us'' ELSE interval ''0'' END,');
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
SELECT amend('clock_change', '(at_ - c.anchor_real) * c.speed + CASE WHEN c.speed <> trunc(c.speed) THEN interval ''1 us'' ELSE interval ''0'' END,',
    '(at_ - c.anchor_real) * c.speed,');
-- +goose StatementEnd
