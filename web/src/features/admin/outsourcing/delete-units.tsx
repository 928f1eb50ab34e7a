import { useTranslation } from 'react-i18next';
import { partnersOfUnitLink } from '../../../components/partner-links.ts';
import { DeleteUnlessInUse } from '../../../components/record/delete-unless-in-use.tsx';
import type { DeleteRecordProps } from '../../../components/record/record.ts';
import { unitAdminsLink } from '../../../components/unit-links.ts';
import { Link } from '../../../ui/link.tsx';

interface DeletableUnit {
  readonly id: number;
  readonly name: string;
  readonly partners: readonly unknown[];
  readonly admins: readonly unknown[];
}

const isInUse = ({ admins, partners }: DeletableUnit) => admins.length + partners.length > 0;

/** Asks before units are deleted; those with companies or administrators cannot be. */
export function DeleteUnits(props: DeleteRecordProps<DeletableUnit>) {
  const { t } = useTranslation('units');
  return (
    <DeleteUnlessInUse
      {...props}
      isInUse={isInUse}
      texts={{
        title: (count) => t('inUse.title', { count }),
        text: t('inUse.text'),
        others: (count) => t('inUse.others', { count }),
      }}
      waysOf={(unit) => (
        <>
          {unit.partners.length > 0 && (
            <Link to={partnersOfUnitLink(unit.id)}>
              {t('inUse.partners', { count: unit.partners.length })}
            </Link>
          )}
          {unit.admins.length > 0 && (
            <Link to={unitAdminsLink(unit)}>{t('inUse.admins', { count: unit.admins.length })}</Link>
          )}
        </>
      )}
    />
  );
}
