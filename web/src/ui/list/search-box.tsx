import { chakra, Flex, Input } from '@chakra-ui/react';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListState } from '../../lib/list/use-list-state.ts';
import { Button } from '../button.tsx';

interface SearchBoxProps<F extends Record<string, string>> {
  /** It has a filter `q`. */
  list: Pick<ListState<string, F>, 'filters' | 'setFilters'>;
  /** What is looked for, as in "ID, name or file name". */
  label: string;
}

/** The one box over a list. What is looked for stands in the address, like the filters. */
export function SearchBox<F extends Record<string, string>>({ label, list }: SearchBoxProps<F>) {
  const { t } = useTranslation('ui');
  const { filters, setFilters } = list;
  const inForce = filters['q'] ?? '';
  const [typed, setTyped] = useState({ inForce, text: inForce });
  // A filter that is taken off elsewhere, or another address, is shown at once.
  if (typed.inForce !== inForce) setTyped({ inForce, text: inForce });
  const look = (text: string) => {
    const q = text.trim();
    setTyped({ inForce, text });
    if (q !== inForce) setFilters({ ...filters, q });
  };
  return (
    <chakra.form
      role="search"
      aria-label={label}
      flex="1"
      minW={{ base: 'full', md: '18rem' }}
      maxW="30rem"
      onSubmit={(event) => {
        event.preventDefault();
        look(typed.text);
      }}
    >
      <Flex gap="2">
        <Input
          type="search"
          size="sm"
          aria-label={label}
          placeholder={label}
          maxLength={255}
          value={typed.text}
          onChange={({ target: { value } }) => {
            // The box is emptied by its own button too, after which nobody presses Enter.
            if (value === '') look('');
            else setTyped({ inForce, text: value });
          }}
        />
        <Button type="submit" size="sm" variant="outline" colorPalette="gray" icon={<Search />}>
          {t('find')}
        </Button>
      </Flex>
    </chakra.form>
  );
}
