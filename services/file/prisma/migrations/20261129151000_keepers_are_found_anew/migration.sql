-- Who keeps halted versions was taken for known, without anybody, where at least 10,000 people had kept an earlier one: it is found
-- anew. Until then each device is looked at when numbers are asked for.
SELECT set_config('app.scope', 'system', true);
UPDATE "keepings" SET "ready" = false, "passed" = 0;
