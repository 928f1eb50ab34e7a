import { chakra, Flex } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { partnerChoicesOf, usePartnerName } from '../../../components/partner-choices.ts';
import { useFormat } from '../../../lib/format.ts';
import { IconButton } from '../../../ui/button.tsx';
import { ComboboxField } from '../../../ui/form/combobox-field.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';

/** So many are named; the rest is counted. */
const mostNamed = 100;

interface PartnersFieldProps {
  label: string;
  help: string;
  /** Names that are known already. */
  names: ReadonlyMap<number, string>;
  /** Whose companies can be chosen; null: those of every unit. */
  unitId: number | null;
}

/** Several companies: one after the other is looked for by name on the server, among however many there are. */
export function PartnersField({ help, label, names, unitId }: PartnersFieldProps) {
  const { t } = useTranslation(['applications', 'ui']);
  const { number } = useFormat();
  const { getFieldState, formState, setValue } = useFormContext();
  const partnerIds: number[] = useWatch({ name: 'partnerIds' });
  const added: number = useWatch({ name: 'addedPartner' });
  const source = useMemo(() => partnerChoicesOf(unitId ?? undefined), [unitId]);
  const kept = useKeptFocus<HTMLUListElement>({ items: 'button' });
  const change = (ids: number[]) => setValue('partnerIds', ids, { shouldDirty: true, shouldValidate: true });

  useEffect(() => {
    if (!added) return;
    if (!partnerIds.includes(added)) change([...partnerIds, added]);
    setValue('addedPartner', 0);
  });

  const error = getFieldState('partnerIds', formState).error?.message;
  return (
    <div>
      <ComboboxField
        name="addedPartner"
        required
        label={label}
        help={help}
        source={source}
        none={0}
        noneLabel={t('choosePartner')}
      />
      {error && (
        <chakra.p mt="1.5" fontSize="xs" fontWeight="medium" color="fg.error" role="alert">
          {error}
        </chakra.p>
      )}
      <chakra.p mt="3" fontSize="xs" color="fg.muted" aria-live="polite">
        {t('chosenPartners', { count: partnerIds.length })}
      </chakra.p>
      <chakra.ul
        {...kept}
        mt="1.5"
        display="flex"
        flexDirection="column"
        gap="1"
        maxH="16rem"
        overflowY="auto"
      >
        {partnerIds.slice(0, mostNamed).map((id) => (
          <li key={id}>
            <ChosenPartner
              id={id}
              known={names.get(id)}
              onRemove={() => change(partnerIds.filter((one) => one !== id))}
            />
          </li>
        ))}
      </chakra.ul>
      {partnerIds.length > mostNamed && (
        <chakra.p mt="1" fontSize="xs" color="fg.muted">
          {t('morePartners', { count: number(partnerIds.length - mostNamed) })}
        </chakra.p>
      )}
    </div>
  );
}

interface ChosenPartnerProps {
  id: number;
  known: string | undefined;
  onRemove: () => void;
}

function ChosenPartner({ id, known, onRemove }: ChosenPartnerProps) {
  const { t } = useTranslation(['applications', 'ui']);
  const asked = usePartnerName(known === undefined ? id : 0);
  const name = known ?? asked ?? String(id);
  return (
    <Flex align="center" gap="2" maxW="30rem">
      <chakra.span flex="1" minW="0" overflowWrap="anywhere">
        {name}
      </chakra.span>
      <IconButton
        size="xs"
        label={t('ui:actionOn', { action: t('removePartner'), name })}
        icon={<X />}
        onClick={onRemove}
      />
    </Flex>
  );
}
