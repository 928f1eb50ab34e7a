-- A plan from when the tables held little would go through all of them for each account of an import.
ALTER FUNCTION mark_accounts(integer[]) SET plan_cache_mode = force_custom_plan;
