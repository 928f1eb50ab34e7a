import { chakra } from '@chakra-ui/react';
import { plans, tenantRoutes } from '@portal/contracts';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import { Meter } from '../../../ui/meter.tsx';
import type { PartnerValues } from './partner-flows.ts';
import { effectOfEnd, mayLast, monthsLater, type PartnerDetail } from './partner-rules.ts';
import { useUnit } from './unit-choices.ts';

/** A line below another in the help of a field. */
const Line = chakra('span', { base: { display: 'block' } });

/** What a company uses now, as far as it is known. */
export function useUse(partner: PartnerDetail | undefined) {
  const summary = useApiQuery(
    tenantRoutes.getSummary,
    { params: { pid: partner?.id ?? 0 }, query: { tz: viewerZone() } },
    { enabled: partner !== undefined },
  ).data;
  return (
    summary && { licences: summary.licenseCount - summary.licenseRemaining, uapFiles: summary.uapFileNum }
  );
}

interface HelpProps {
  /** The company that is edited. */
  partner: PartnerDetail | undefined;
}

/** What a number of licences means for the plan, for who uses them, and for the unit, while it is typed. */
export function LicenceCountHelp({ partner }: HelpProps) {
  const { t } = useTranslation('partnerForm');
  const { number } = useFormat();
  const { contractRank, licenseCount, licenseType, unitId } = useWatch<PartnerValues>();
  const use = useUse(partner);
  const unit = useUnit(unitId ?? 0);
  const wanted = /^\s*\d{1,9}\s*$/.test(licenseCount ?? '') ? Number(licenseCount) : undefined;
  const plan = contractRank ? plans[contractRank] : undefined;
  // Those of another type are counted when it is saved.
  const inUse = use && licenseType === partner?.licenseType ? use.licences : undefined;
  return (
    <>
      {plan && (
        <Line>
          {t(plan.licensesAreFixed ? 'licenseCountMost' : 'licenseCountPlan', {
            count: number(plan.licenses),
          })}
        </Line>
      )}
      {inUse !== undefined && licenseType && (
        <Line color={wanted !== undefined && wanted < inUse ? 'fg.error' : undefined}>
          {wanted !== undefined && wanted < inUse
            ? t('belowInUse', { count: number(inUse) })
            : t(`inUse.${licenseType}`, { count: number(inUse) })}
        </Line>
      )}
      {unit && (
        <UnitUse
          name={unit.unitName}
          allocated={unit.allocatedLicense}
          others={
            unit.consumedLicense - (partner && partner.unitId === unit.unitId ? partner.licenseCount : 0)
          }
          wanted={wanted}
        />
      )}
    </>
  );
}

interface UnitUseProps {
  name: string;
  allocated: number;
  /** Licences of the unit's other companies. */
  others: number;
  wanted: number | undefined;
}

function UnitUse({ allocated, name, others, wanted }: UnitUseProps) {
  const { t } = useTranslation('partnerForm');
  const { number } = useFormat();
  const left = allocated - others;
  const after = left - (wanted ?? 0);
  const text = (() => {
    if (wanted === undefined) return t('unitLeftNow', { name, left: number(left) });
    if (after < 0) return t('unitShort', { name, left: number(left), missing: number(-after) });
    return t('unitAfter', { name, left: number(left), after: number(after) });
  })();
  return (
    <Line mt="1" color={after < 0 ? 'fg.error' : undefined}>
      <Meter wide label={t('unitUse', { name })} value={others + (wanted ?? 0)} max={allocated} text={text} />
    </Line>
  );
}

/** What a date means: when the contract ends, and until when people can sign in. */
export function LicenceEndHelp({ partner }: HelpProps) {
  const { t } = useTranslation('partnerForm');
  const { date } = useFormat();
  const { contractRank, licenseExpiredOn = '' } = useWatch<PartnerValues>();
  if (licenseExpiredOn !== '') return <EndEffect expiredOn={licenseExpiredOn} />;
  if (!contractRank || mayLast(contractRank, partner)) return t('neverEnds');
  return partner ? null : t('endsByPlan', { date: date(monthsLater(plans[contractRank].termMonths ?? 0)) });
}

/** The same sentence for the form and for the confirmation. */
export function EndEffect({ expiredOn }: { expiredOn: string }) {
  const { t } = useTranslation('partnerForm');
  const { dateTime } = useFormat();
  const { last, state } = effectOfEnd(expiredOn);
  return (
    <chakra.span color={state === 'isOver' ? 'fg.error' : undefined}>
      {t(state, { end: dateTime(expiredOn), last: dateTime(last) })}
    </chakra.span>
  );
}
