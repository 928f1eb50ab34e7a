import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { partnersOfUnitLink } from '../../../components/partner-links.ts';
import { DeleteAny } from '../../../components/record/delete-record.tsx';
import type { DeleteRecordProps } from '../../../components/record/record.ts';
import { unitAdminsLink, unitLink } from '../../../components/unit-links.ts';
import { useFormat } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Link } from '../../../ui/link.tsx';

interface DeletableUnit {
  readonly id: number;
  readonly name: string;
  readonly partners: readonly unknown[];
  readonly admins: readonly unknown[];
}

const isInUse = ({ admins, partners }: DeletableUnit) => admins.length + partners.length > 0;

/** Asks before units are deleted. Those with companies or administrators cannot be: that is told before, with ways to both. */
export function DeleteUnits({ chosen, ...props }: DeleteRecordProps<DeletableUnit>) {
  const { t } = useTranslation(['units', 'ui']);
  const { number } = useFormat();
  const [withoutThem, setWithoutThem] = useState(false);
  const inUse = chosen.rows.filter(isInUse);
  const others = chosen.rows.filter((unit) => !isInUse(unit));
  if (inUse.length === 0 || withoutThem) {
    return (
      <DeleteAny
        {...props}
        chosen={{ rows: others, matching: undefined }}
        onClose={() => {
          setWithoutThem(false);
          props.onClose();
        }}
      />
    );
  }
  return (
    <Dialog
      open
      title={t('inUse.title', { count: inUse.length })}
      width="34rem"
      onClose={props.onClose}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" onClick={props.onClose}>
            {t('ui:close')}
          </Button>
          {others.length > 0 && (
            <Button colorPalette="danger" onClick={() => setWithoutThem(true)}>
              {t('inUse.others', { count: number(others.length) })}
            </Button>
          )}
        </>
      }
    >
      {t('inUse.text')}
      <chakra.ul mt="3" maxH="20rem" overflowY="auto" borderWidth="1px" borderRadius="md" color="fg">
        {inUse.map((unit) => (
          <InUse key={unit.id} unit={unit} />
        ))}
      </chakra.ul>
    </Dialog>
  );
}

/** What a unit still has, and where. */
function InUse({ unit }: { unit: DeletableUnit }) {
  const { t } = useTranslation('units');
  const { admins, id, name, partners } = unit;
  return (
    <chakra.li px="3" py="2" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
      <Link to={unitLink(unit)} display="inline-block" minH="6" fontWeight="medium" overflowWrap="anywhere">
        {name}
      </Link>
      <chakra.span
        display="flex"
        gap="3"
        fontSize="xs"
        // Each is as high as a finger needs.
        css={{ '& a': { minH: '6', minW: '6' } }}
      >
        {partners.length > 0 && (
          <Link to={partnersOfUnitLink(id)}>{t('inUse.partners', { count: partners.length })}</Link>
        )}
        {admins.length > 0 && (
          <Link to={unitAdminsLink(unit)}>{t('inUse.admins', { count: admins.length })}</Link>
        )}
      </chakra.span>
    </chakra.li>
  );
}
