import { Box, chakra, Flex } from '@chakra-ui/react';
import { ChevronDown, Search, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { daysOf } from '../../lib/list/days.ts';
import type { ListState } from '../../lib/list/use-list-state.ts';
import { Button } from '../button.tsx';
import type { Option } from '../form/controls.tsx';
import { Panel } from '../page/panel.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import type { Filter, Values } from './filter.ts';
import { ToggleChip } from './filter-chips.tsx';

/** Nearly every visit of a list does without it. */
const SearchForm = lazy(async () => ({ default: (await import('./search-form.tsx')).SearchForm }));

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
  const hasFilters = Object.keys(filters).length > 0;
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
    return filter.kind === 'choice' ? labelOf(filter.options, value) : value;
  };

  return (
    <Box mb="3">
      <Flex {...chips} align="center" wrap="wrap" gap="2">
        {hasFilters && (
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
        )}
        {presets.map((one) => (
          <ToggleChip key={one.label} label={one.label} isOn={isOn(one)} onToggle={() => toggle(one)} />
        ))}
        {inForce.map(({ filter, name, value }) => (
          <FilterChip
            key={name}
            filter={filter}
            value={value}
            shown={shown(filter, value)}
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
        {open && (
          <Suspense fallback={null}>
            <SearchForm
              filters={filters}
              values={typed.values}
              onChange={typed.change}
              onSearch={() => list.setFilters(typed.values)}
              onReset={reset}
            />
          </Suspense>
        )}
      </Panel>
    </Box>
  );
}

const labelOf = (options: readonly Option[], value: string) =>
  options.find((one) => one.value === value)?.label ?? value;

interface FilterChipProps {
  filter: Filter;
  value: string;
  /** The value in words, as far as they are known here. */
  shown: string;
  onRemove: () => void;
}

function FilterChip({ filter, onRemove, shown, value }: FilterChipProps) {
  if (filter.kind === 'lookup') return <LookupChip filter={filter} value={value} onRemove={onRemove} />;
  return <Chip text={`${filter.label}: ${shown}`} onRemove={onRemove} />;
}

interface LookupChipProps extends Pick<FilterChipProps, 'value' | 'onRemove'> {
  filter: Filter & { kind: 'lookup' };
}

function LookupChip({ filter, onRemove, value }: LookupChipProps) {
  return <Chip text={`${filter.label}: ${labelOf(filter.useOptions(), value)}`} onRemove={onRemove} />;
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
