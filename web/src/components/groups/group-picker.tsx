import { chakra, Flex, Input } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useMay } from '../../lib/session/use-session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/feedback/states.tsx';

export interface PickableGroup {
  readonly id: number;
  /** With the role, as in `Sales (User)`. */
  readonly title: string;
}

interface GroupPickerProps {
  groups: readonly PickableGroup[];
  chosen: readonly number[];
  onChange: (ids: readonly number[]) => void;
  /** Of the first box, where something leads to the groups. */
  id?: string;
}

/** Beyond so many groups one would rather type than scroll. */
const searchFrom = 8;

export function GroupPicker({ groups, chosen, onChange, id: firstId }: GroupPickerProps) {
  const { t } = useTranslation('groups');
  const { number } = useFormat();
  const may = useMay();
  const [wanted, setWanted] = useState('');
  const needle = wanted.trim().toLowerCase();
  const shown = groups.filter(({ title }) => title.toLowerCase().includes(needle));

  if (groups.length === 0) {
    return (
      <EmptyState
        title={t('picker.noGroups')}
        action={
          may('createGroup') && (
            <ButtonLink to="/partner/groups/create" variant="outline">
              {t('create')}
            </ButtonLink>
          )
        }
      />
    );
  }
  return (
    <chakra.div borderWidth="1px" borderRadius="md" overflow="hidden">
      <Flex align="center" gap="3" px="3" py="2" borderBottomWidth="1px" bg="bg.subtle" wrap="wrap">
        {groups.length > searchFrom && (
          <Input
            type="search"
            aria-label={t('picker.find')}
            placeholder={t('picker.find')}
            value={wanted}
            maxW="18rem"
            onChange={(event) => setWanted(event.target.value)}
            onKeyDown={(event) => {
              // It would submit the form that this is a part of.
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
        )}
        <chakra.span role="status" ms="auto" fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('picker.chosenCount', { count: number(chosen.length) })}
        </chakra.span>
      </Flex>
      <chakra.ul maxH="20rem" overflowY="auto" py="1">
        {shown.map(({ id, title }, index) => (
          <li key={id}>
            <chakra.label
              display="flex"
              alignItems="center"
              gap="2.5"
              minH="9"
              px="3"
              cursor="pointer"
              _hover={{ bg: 'bg.subtle' }}
            >
              <chakra.input
                type="checkbox"
                id={index === 0 ? firstId : undefined}
                boxSize="4"
                flexShrink="0"
                accentColor="accent.solid"
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              <chakra.span overflowWrap="anywhere">{title}</chakra.span>
            </chakra.label>
          </li>
        ))}
        {shown.length === 0 && (
          <chakra.li px="3" py="2" color="fg.muted">
            {t('picker.noneFound')}
          </chakra.li>
        )}
      </chakra.ul>
    </chakra.div>
  );
}
