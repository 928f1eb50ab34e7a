-- What changes a partner in the scope of its unit tells of it.
CREATE POLICY "unit" ON messaging.outbox FOR INSERT
  WITH CHECK ((envelope ->> 'partnerid')::integer IN (
    SELECT partner_id FROM public.partners WHERE unit_id = (SELECT scope.genuine('unit'))));
