import { chakra } from '@chakra-ui/react';
import { type RouteReply, tenantRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';

export type LicenceChange = RouteReply<typeof tenantRoutes.listLicenceChanges>['licenseUpdatedLogs'][number];
type Terms = LicenceChange['after'];

const fields = [
  'contractRank',
  'licenseType',
  'licenseCount',
  'licenseExpiredOn',
  'uapFileLimit',
  'unitId',
] as const satisfies readonly (keyof Terms)[];

/** What changed, each with what was before and after, in words. */
export function LicenceChanges({ after, before }: Pick<LicenceChange, 'after' | 'before'>) {
  const { t } = useTranslation('licenceLogs');
  return (
    <chakra.dl
      display="grid"
      gap="0.5"
      css={{
        '& > div': {
          display: 'grid',
          gridTemplateColumns: { base: '5.25rem minmax(0, 1fr)', md: '7.5rem minmax(0, 1fr)' },
          columnGap: '2',
        },
        '& dt': { color: 'fg.muted', fontSize: 'xs', lineHeight: 'inherit' },
        '& del': { color: 'fg.muted' },
        '& ins': { textDecoration: 'none', fontWeight: 'medium' },
      }}
    >
      {fields
        .filter((field) => after[field] !== undefined)
        .map((field) => (
          <div key={field}>
            <dt>{t(`fields.${field}`)}</dt>
            <dd>
              {before && (
                <>
                  <del>
                    <Term field={field} terms={before} />
                  </del>
                  <span aria-hidden> → </span>
                  <chakra.span srOnly> {t('to')} </chakra.span>
                </>
              )}
              <ins>
                <Term field={field} terms={after} />
              </ins>
            </dd>
          </div>
        ))}
    </chakra.dl>
  );
}

interface TermProps {
  field: (typeof fields)[number];
  terms: Terms;
}

function Term({ field, terms }: TermProps) {
  const { t } = useTranslation(['licenceLogs', 'partners', 'auth', 'ui']);
  const { dateTime, number } = useFormat();
  const { contractRank, licenseCount, licenseExpiredOn, licenseType, uapFileLimit, unitId } = terms;
  switch (field) {
    case 'contractRank':
      return contractRank ? t(`auth:ranks.${contractRank}`) : t('ui:none');
    case 'licenseType':
      return licenseType ? t(`auth:licenseTypes.${licenseType}`) : t('ui:none');
    case 'licenseCount':
      return licenseCount === undefined ? t('ui:none') : number(licenseCount);
    case 'licenseExpiredOn':
      return licenseExpiredOn ? dateTime(licenseExpiredOn) : t('partners:noExpiry');
    case 'uapFileLimit':
      if (uapFileLimit === undefined) return t('ui:none');
      return uapFileLimit === 0 ? t('partners:unlimited') : number(uapFileLimit);
    case 'unitId':
      return unitId === undefined ? t('ui:none') : <UnitName id={unitId} />;
  }
}

/** Asked once for each unit, however many changes name it; one that is gone, or of others, has its number alone. */
function UnitName({ id }: { id: number }) {
  const { t } = useTranslation('licenceLogs');
  const { data } = useApiQuery(tenantRoutes.getUnit, { params: { id } });
  return data?.unitName ?? t('unitNo', { id });
}
