import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newPartnerOfUnitLink } from '../../../components/partner-links.ts';
import { newUnitAdminLink, unitAdminsLink } from '../../../components/unit-links.ts';
import { useFormat } from '../../../lib/format.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { OwnerName, type UnitDetail } from './unit-form.tsx';
import { UnitAdmins, UnitPartners } from './unit-members.tsx';

/** What is told of a unit: its facts, its companies, and who administers it. */
export function UnitBody({ record: unit }: { record: UnitDetail }) {
  const { t } = useTranslation(['units', 'administrators']);
  const may = useMay();
  return (
    <>
      <Facts unit={unit} />
      <Section
        title={t('partners')}
        action={
          may('createPartner') && (
            <ButtonLink to={newPartnerOfUnitLink(unit.unitId)} variant="outline" size="xs" icon={<Plus />}>
              {t('addPartner')}
            </ButtonLink>
          )
        }
      >
        <UnitPartners unit={unit} />
      </Section>
      <Section
        title={t('admins')}
        lead={may('listUnitAdmins') && <Link to={unitAdminsLink(unit)}>{t('allAdmins')}</Link>}
        action={
          may('createUnitAdmin') && (
            <ButtonLink to={newUnitAdminLink(unit)} variant="outline" size="xs" icon={<Plus />}>
              {t('addAdmin')}
            </ButtonLink>
          )
        }
      >
        <UnitAdmins unit={unit} />
      </Section>
    </>
  );
}

function Facts({ unit }: { unit: UnitDetail }) {
  const { t } = useTranslation('units');
  const { dateTime, number } = useFormat();
  const { allocatedLicense, consumedLicense } = unit;
  return (
    <Section title={t('facts')}>
      <Panel>
        <DescriptionList
          items={[
            { label: t('id'), value: unit.id },
            {
              label: t('licensesShort'),
              value: (
                <Meter
                  wide
                  label={t('licensesOf', { name: unit.name })}
                  value={consumedLicense}
                  max={allocatedLicense}
                  text={t('left', {
                    allocated: number(allocatedLicense),
                    consumed: number(consumedLicense),
                    left: number(allocatedLicense - consumedLicense),
                  })}
                />
              ),
            },
            { label: t('ownerPartnerid'), value: <OwnerName id={unit.ownerPartnerid} /> },
            {
              label: t('canForceDistributeApp'),
              value: t(unit.canForceDistributeApp ? 'allowed' : 'refused'),
            },
            { label: t('createdAt'), value: dateTime(unit.createdAt) },
            { label: t('updatedAt'), value: dateTime(unit.updatedAt) },
          ]}
        />
      </Panel>
    </Section>
  );
}
