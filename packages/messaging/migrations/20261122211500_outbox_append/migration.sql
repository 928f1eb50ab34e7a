-- Events are the system's, which relays them; every transaction may append, but none those of another tenant.
CREATE POLICY "append" ON messaging.outbox FOR INSERT
  WITH CHECK ((envelope ->> 'partnerid') IS NULL
    OR (envelope ->> 'partnerid')::integer = (SELECT scope.genuine('partner')));
