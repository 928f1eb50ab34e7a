import { Box, chakra, Flex, Input } from '@chakra-ui/react';
import { fieldMessage } from '@portal/contracts';
import { ChevronDown, Search, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, viewerZone } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { daysOf, timeOf } from '../../lib/list/days.ts';
import { endsBeforeStart } from '../../lib/list/filter-values.ts';
import type { ListState } from '../../lib/list/use-list-state.ts';
import { fromLocalInput, toLocalInput } from '../../lib/local-time.ts';
import { Button } from '../button.tsx';
import { type Option, Select } from '../form/controls.tsx';
import { ErrorText } from '../form/field.tsx';
import { Panel } from '../page/panel.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import { ToggleChip } from './filter-chips.tsx';

interface FilterBase {
  readonly label: string;
}

/** How a filter is asked for. A `time` is kept in UTC and edited in the viewer's zone. */
export type Filter =
  | (FilterBase & { readonly kind: 'text' })
  | (FilterBase & { readonly kind: 'number' })
  | (FilterBase & { readonly kind: 'choice'; readonly options: readonly Option[] })
  | (FilterBase & { readonly kind: 'time' });

type Values = Record<string, string>;

/** Filters that people often set together, on and off with one click. */
export interface Preset<F extends Values> {
  readonly label: string;
  readonly filters: Partial<F>;
}

export interface SearchPanelProps<F extends Values> {
  list: Pick<ListState<string, F>, 'filters' | 'isFiltered' | 'setFilters' | 'reset'>;
  /** Those that are asked for here; others, as of the search box, have a place of their own. */
  filters: { readonly [K in keyof F]?: Filter };
  presets?: readonly Preset<F>[];
  /** What stands at the end of their line. */
  children?: ReactNode;
}

/** The filters of a list. Those in force stay visible as chips, each of which takes its filter off. */
export function SearchPanel<F extends Values>({
  list,
  filters,
  presets = [],
  children,
}: SearchPanelProps<F>) {
  const { t } = useTranslation('ui');
  const format = useFormat();
  const formId = useId();
  const [open, setOpen] = useState(false);
  const typed = useTyped(list.filters);
  const chips = useKeptFocus<HTMLDivElement>({ items: '[data-chip]', otherwise: 'button' });
  const isOn = (preset: Preset<F>) =>
    Object.entries(preset.filters).every(([name, value]) => list.filters[name] === value);
  const preset = new Set(presets.filter(isOn).flatMap((one) => Object.keys(one.filters)));
  const inForce = Object.entries<string>(list.filters).flatMap(([name, value]) => {
    const filter: Filter | undefined = filters[name];
    return filter && value !== '' && !preset.has(name) ? [{ name, filter, value }] : [];
  });

  function toggle(one: Preset<F>): void {
    const off = Object.fromEntries(Object.keys(one.filters).map((name) => [name, '']));
    list.setFilters({ ...list.filters, ...(isOn(one) ? off : one.filters) });
  }

  function reset(): void {
    typed.clear();
    list.reset();
  }

  const shown = (filter: Filter, value: string): string => {
    if (filter.kind === 'time') {
      const days = daysOf(value);
      return days === undefined ? format.dateTime(value) : t('lastDays', { count: days });
    }
    if (filter.kind === 'choice') return filter.options.find((one) => one.value === value)?.label ?? value;
    return value;
  };

  return (
    <Box mb="3">
      <Flex {...chips} align="center" wrap="wrap" gap="2">
        <Button
          variant="outline"
          colorPalette="gray"
          size="xs"
          aria-expanded={open}
          aria-controls={formId}
          icon={<Search />}
          onClick={() => setOpen(!open)}
        >
          {t('search')}
          <chakra.span transform={open ? 'rotate(180deg)' : undefined} transition="transform 120ms">
            <ChevronDown />
          </chakra.span>
        </Button>
        {presets.map((one) => (
          <ToggleChip key={one.label} label={one.label} isOn={isOn(one)} onToggle={() => toggle(one)} />
        ))}
        {inForce.map(({ filter, name, value }) => (
          <Chip
            key={name}
            text={`${filter.label}: ${shown(filter, value)}`}
            onRemove={() => list.setFilters({ ...list.filters, [name]: '' })}
          />
        ))}
        {list.isFiltered && (
          <Button variant="ghost" size="xs" onClick={reset}>
            {t('reset')}
          </Button>
        )}
        {children}
      </Flex>
      <Panel id={formId} hidden={!open} mt="2" p="4">
        {open && <SearchForm filters={filters} typed={typed} onSearch={list.setFilters} onReset={reset} />}
      </Panel>
    </Box>
  );
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const { t } = useTranslation('ui');
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="1"
      h="7"
      ps="2.5"
      pe="0.5"
      maxW="full"
      fontSize="xs"
      bg="accent.subtle"
      color="accent.fg"
      borderRadius="full"
    >
      <chakra.span truncate>{text}</chakra.span>
      <chakra.button
        data-chip=""
        type="button"
        aria-label={t('removeFilter', { filter: text })}
        display="inline-flex"
        alignItems="center"
        justifyContent="center"
        boxSize="6"
        borderRadius="full"
        cursor="pointer"
        _hover={{ bg: 'accent.muted' }}
        onClick={onRemove}
      >
        <X size={12} aria-hidden />
      </chakra.button>
    </chakra.span>
  );
}

interface Typed<F extends Values> {
  readonly values: F;
  change(name: string, value: string): void;
  clear(): void;
}

/** What stands in the fields: what was typed, until a filter in force changes by other means. */
function useTyped<F extends Values>(inForce: F): Typed<F> {
  const [state, setState] = useState({ inForce, values: inForce });
  let { values } = state;
  if (state.inForce !== inForce) {
    const changed = Object.entries(inForce).filter(([name, value]) => value !== state.inForce[name]);
    values = { ...values, ...Object.fromEntries(changed) };
    setState({ inForce, values });
  }
  const put = (changes: Values) => setState({ inForce, values: { ...values, ...changes } });
  return {
    values,
    change: (name, value) => put({ [name]: value }),
    clear: () => put(Object.fromEntries(Object.keys(values).map((name) => [name, '']))),
  };
}

/** The ends of ranges that lie before their start: the filter `xEnd` belongs to `xStart`. */
const wrongEndsOf = (values: Values): string[] =>
  Object.entries(values)
    .filter(([name, end]) =>
      endsBeforeStart(timeOf(values[name.replace(/End$/, 'Start')] ?? ''), timeOf(end)),
    )
    .map(([name]) => name);

interface SearchFormProps<F extends Values> {
  filters: SearchPanelProps<F>['filters'];
  typed: Typed<F>;
  onSearch: (values: F) => void;
  onReset: () => void;
}

function SearchForm<F extends Values>({ filters, typed, onSearch, onReset }: SearchFormProps<F>) {
  const { t } = useTranslation('ui');
  const language = useLanguage();
  const form = useRef<HTMLFormElement>(null);
  const [checked, setChecked] = useState(false);
  const wrong = checked ? wrongEndsOf(typed.values) : [];
  return (
    <chakra.form
      ref={form}
      role="search"
      aria-label={t('search')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = wrongEndsOf(typed.values);
        setChecked(first !== undefined);
        if (first === undefined) onSearch(typed.values);
        else form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      }}
    >
      <chakra.div
        display="grid"
        gridTemplateColumns="repeat(auto-fill, minmax(min(15rem, 100%), 1fr))"
        columnGap="4"
        rowGap="3"
      >
        {Object.entries<Filter | undefined>(filters).map(
          ([name, filter]) =>
            filter && (
              <FilterField
                key={name}
                name={name}
                filter={filter}
                value={typed.values[name] ?? ''}
                error={wrong.includes(name) ? fieldMessage('endBeforeStart', language) : undefined}
                onChange={(value) => typed.change(name, value)}
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
  const { t } = useTranslation('ui');
  const id = useId();
  const errorId = `${id}-error`;
  let control: ReactNode;
  if (filter.kind === 'choice') {
    const options = [{ value: '', label: t('anything') }, ...filter.options];
    control = (
      <Select id={id} value={value} options={options} onChange={(event) => onChange(event.target.value)} />
    );
  } else if (filter.kind === 'time') {
    control = (
      <Input
        id={id}
        name={name}
        type="datetime-local"
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
