import { chakra, Flex, Input } from '@chakra-ui/react';
import { fieldMessage } from '@portal/contracts';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { viewerZone } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { timeOf } from '../../lib/list/days.ts';
import { endsBeforeStart } from '../../lib/list/filter-values.ts';
import { fromLocalInput, latestLocal, toLocalInput } from '../../lib/local-time.ts';
import { Button } from '../button.tsx';
import { type Option, Select } from '../form/controls.tsx';
import { ErrorText } from '../form/field.tsx';
import type { Filter, Values } from './filter.ts';

/** The ends of ranges that lie before their start: the filter `xEnd` belongs to `xStart`. */
const wrongEndsOf = (values: Values): string[] =>
  Object.entries(values)
    .filter(([name, end]) =>
      endsBeforeStart(timeOf(values[name.replace(/End$/, 'Start')] ?? ''), timeOf(end)),
    )
    .map(([name]) => name);

interface SearchFormProps {
  filters: Readonly<Record<string, Filter | undefined>>;
  values: Values;
  onChange: (name: string, value: string) => void;
  onSearch: () => void;
  onReset: () => void;
}

/** The fields of all filters; it loads when somebody opens it. */
export function SearchForm({ filters, onChange, onReset, onSearch, values }: SearchFormProps) {
  const { t } = useTranslation('ui');
  const language = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const [checked, setChecked] = useState(false);
  const wrong = checked ? wrongEndsOf(values) : [];
  return (
    <chakra.form
      ref={form}
      role="search"
      aria-label={t('search')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = wrongEndsOf(values);
        setChecked(first !== undefined);
        if (first === undefined) onSearch();
        else form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      }}
    >
      <chakra.div
        display="grid"
        gridTemplateColumns="repeat(auto-fill, minmax(min(15rem, 100%), 1fr))"
        columnGap="4"
        rowGap="3"
      >
        {Object.entries(filters).map(
          ([name, filter]) =>
            filter && (
              <FilterField
                key={name}
                name={name}
                filter={filter}
                value={values[name] ?? ''}
                error={wrong.includes(name) ? fieldMessage('endBeforeStart', language) : undefined}
                onChange={(value) => onChange(name, value)}
              />
            ),
        )}
      </chakra.div>
      <Flex mt="4" gap="2">
        <Button type="submit">{t('applySearch')}</Button>
        <Button variant="outline" colorPalette="gray" onClick={onReset}>
          {t('reset')}
        </Button>
      </Flex>
    </chakra.form>
  );
}

/** Nothing but digits, those of Japanese keyboards included: a number is all that such a filter takes. */
const digitsOf = (typed: string) => typed.normalize('NFKC').replace(/\D/g, '');

interface FilterFieldProps {
  name: string;
  filter: Filter;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function FilterField({ name, filter, value, error, onChange }: FilterFieldProps) {
  const id = useId();
  const errorId = `${id}-error`;
  let control: ReactNode;
  if (filter.kind === 'choice' || filter.kind === 'lookup') {
    const choice = { id, value, onChange };
    control =
      filter.kind === 'lookup' ? (
        <LookupField {...choice} useOptions={filter.useOptions} />
      ) : (
        <ChoiceField {...choice} options={filter.options} />
      );
  } else if (filter.kind === 'time') {
    control = (
      <Input
        id={id}
        name={name}
        type="datetime-local"
        max={latestLocal}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        value={toLocalInput(timeOf(value))}
        onChange={(event) => onChange(fromLocalInput(event.target.value))}
      />
    );
  } else {
    control = (
      <Input
        id={id}
        inputMode={filter.kind === 'number' ? 'numeric' : undefined}
        value={value}
        onChange={({ target }) => onChange(filter.kind === 'number' ? digitsOf(target.value) : target.value)}
      />
    );
  }
  return (
    <div>
      <chakra.label htmlFor={id} display="block" mb="1" fontSize="xs" fontWeight="medium" color="fg.muted">
        {filter.label}
        {filter.kind === 'time' && ` (${viewerZone()})`}
      </chakra.label>
      {control}
      <ErrorText id={errorId}>{error}</ErrorText>
    </div>
  );
}

interface ChoiceFieldProps {
  id: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

function ChoiceField({ id, onChange, options, value }: ChoiceFieldProps) {
  const { t } = useTranslation('ui');
  return (
    <Select
      id={id}
      value={value}
      options={[{ value: '', label: t('anything') }, ...options]}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface LookupFieldProps extends Omit<ChoiceFieldProps, 'options'> {
  useOptions: () => readonly Option[];
}

function LookupField({ useOptions, ...choice }: LookupFieldProps) {
  return <ChoiceField {...choice} options={useOptions()} />;
}
