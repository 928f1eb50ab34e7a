import { chakra, Flex } from '@chakra-ui/react';
import { Search } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { CodeEditor } from '../../../ui/code/code-editor.tsx';
import type { EditorAddress } from './editor-address.ts';
import { filterCompletion } from './filter-completion.ts';
import { type FilterProblem, readFilter } from './filter-text.ts';
import type { KnownField } from './known-fields.ts';

interface FilterBarProps {
  address: EditorAddress;
  fields: readonly KnownField[];
  /** What the service says of the filter that is in force. */
  refusal: string | undefined;
  isSearching: boolean;
}

/** The filter of the documents, as MongoDB's tools take it; with the fields of the documents to choose from. */
export function FilterBar({ address, fields, isSearching, refusal }: FilterBarProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const errorId = useId();
  const helpId = useId();
  const [text, setText] = useState(address.filter);
  // Told once it is asked for, and gone when one writes on.
  const [problem, setProblem] = useState<FilterProblem>();
  // The way back leads to an earlier one.
  useEffect(() => setText(address.filter), [address.filter]);
  const known = useRef(fields);
  known.current = fields;
  const completion = useMemo(
    () =>
      filterCompletion(() => known.current, {
        list: t('filter.suggestions'),
        kindOf: (kind) => t(`filter.kinds.${kind}`),
      }),
    [t],
  );
  const wordsOf = ({ fault, name = '' }: FilterProblem) => t(`filter.faults.${fault}`, { name });

  function apply(): void {
    const read = readFilter(text);
    setProblem(read.problem);
    if (!read.problem) address.show({ filter: text.trim(), document: '' });
  }

  function change(next: string): void {
    setText(next);
    setProblem(undefined);
  }

  const said = problem ? wordsOf(problem) : text.trim() === address.filter ? refusal : undefined;
  return (
    <chakra.form
      role="search"
      mb="3"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Flex gap="2" align="flex-start" wrap={{ base: 'wrap', md: 'nowrap' }}>
        <chakra.div flex="1 1 20rem" minW="0">
          <CodeEditor
            // The suggestions speak the language of the page.
            key={t('filter.suggestions')}
            label={t('filter.label')}
            describedBy={said ? errorId : helpId}
            value={text}
            onChange={change}
            problemsOf={(written) => {
              const read = readFilter(written);
              return read.problem ? [{ ...read.problem, message: wordsOf(read.problem) }] : [];
            }}
            oneLine
            invalid={said !== undefined}
            placeholder={t('filter.placeholder')}
            onSubmit={apply}
            extensions={completion}
          />
        </chakra.div>
        <Button type="submit" h="9" icon={<Search />} pending={isSearching}>
          {t('filter.apply')}
        </Button>
        <Button
          h="9"
          variant="outline"
          colorPalette="gray"
          disabled={text === '' && address.filter === ''}
          onClick={() => {
            change('');
            address.show({ filter: '', document: '' });
          }}
        >
          {t('filter.reset')}
        </Button>
      </Flex>
      {said ? (
        <chakra.p id={errorId} role="alert" mt="1.5" fontSize="xs" fontWeight="medium" color="fg.error">
          {said}
        </chakra.p>
      ) : (
        <chakra.p id={helpId} mt="1.5" fontSize="xs" color="fg.muted">
          {t('filter.help')}
        </chakra.p>
      )}
    </chakra.form>
  );
}
