import { chakra, Flex, Input } from '@chakra-ui/react';
import { Bookmark, Columns3, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import {
  longestAddress,
  longestName,
  mostSaved,
  useListChoices,
  withFilter,
} from '../../lib/list/list-choices.ts';
import { Button, IconButton } from '../button.tsx';
import { useAnnouncer } from '../feedback/announcer.tsx';
import { ErrorText } from '../form/field.tsx';
import { MoreButton } from '../more-button.tsx';
import type { Column } from './data-table.tsx';

interface ListChoicesProps {
  /** Tells the lists of a person apart. */
  name: string;
  columns: readonly Pick<Column<never>, 'header' | 'id' | 'isRowHeader' | 'wideOnly'>[];
  /** What in the address says whose list this is: a saved filter is for the lists of all. */
  whose?: readonly string[] | undefined;
}

/** What somebody keeps for themselves of a list: filters by name, and which columns it has. */
export function ListChoices({ columns, name, whose = [] }: ListChoicesProps) {
  return (
    <Flex gap="2" ms={{ md: 'auto' }}>
      <SavedFilters name={name} whose={whose} />
      <ColumnChoice name={name} columns={columns} />
    </Flex>
  );
}

/** Filters and sort of an address: neither which page one was on is kept, nor whose list it was. */
function kept(params: URLSearchParams, whose: readonly string[]): string {
  const rest = new URLSearchParams(params);
  for (const name of ['page', 'perPage', ...whose]) rest.delete(name);
  return rest.toString();
}

/** The address of the same list with these filters and this sort. */
function restored(address: string, params: URLSearchParams, whose: readonly string[]): URLSearchParams {
  const whole = new URLSearchParams(params);
  for (const name of [...whole.keys()]) if (!whose.includes(name)) whole.delete(name);
  for (const [name, value] of new URLSearchParams(address)) whole.append(name, value);
  return whole;
}

function SavedFilters({ name: list, whose }: { name: string; whose: readonly string[] }) {
  const { t } = useTranslation('ui');
  const { announce, toast } = useAnnouncer();
  const [params, setParams] = useSearchParams();
  const { change, saved } = useListChoices(list);
  const [name, setName] = useState('');
  const errorId = useId();
  const address = kept(params, whose);
  const isNew = saved.every((one) => one.name !== name.trim());
  const error = (() => {
    if (address === '') return t('saved.nothing');
    if (address.length > longestAddress) return t('saved.tooLong');
    if (isNew && saved.length >= mostSaved) return t('saved.tooMany', { count: mostSaved });
    return undefined;
  })();

  function save(): void {
    const label = name.trim();
    if (label === '' || error !== undefined) return;
    change((before) => ({ saved: withFilter(before.saved, { name: label, address }) }));
    announce(t('saved.done', { name: label }));
    setName('');
  }

  function remove(one: (typeof saved)[number]): void {
    const at = saved.indexOf(one);
    change((before) => ({ saved: before.saved.filter((other) => other.name !== one.name) }));
    const close = toast({
      tone: 'success',
      message: t('saved.removed', { name: one.name }),
      action: {
        label: t('saved.undo'),
        onPress() {
          close();
          change((before) => ({ saved: withFilter(before.saved, one, at) }));
        },
      },
    });
  }

  return (
    <MoreButton label={t('saved.title')} text={t('saved.title')} icon={<Bookmark />} size="xs">
      {(close) => (
        <chakra.div p="2">
          <chakra.ul>
            {saved.map((one) => (
              <chakra.li key={one.name} display="flex" alignItems="center">
                <Button
                  variant="ghost"
                  size="sm"
                  flex="1"
                  minW="0"
                  justifyContent="flex-start"
                  aria-current={one.address === address ? 'true' : undefined}
                  onClick={() => {
                    close();
                    setParams(restored(one.address, params, whose));
                  }}
                >
                  <chakra.span truncate>{one.name}</chakra.span>
                </Button>
                <IconButton
                  size="xs"
                  label={t('saved.remove', { name: one.name })}
                  icon={<X />}
                  onClick={() => remove(one)}
                />
              </chakra.li>
            ))}
          </chakra.ul>
          {saved.length === 0 && (
            <chakra.p px="1" pb="2" color="fg.muted" fontSize="xs">
              {t('saved.none')}
            </chakra.p>
          )}
          <chakra.form
            display="flex"
            gap="2"
            pt="2"
            borderTopWidth="1px"
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            <Input
              size="sm"
              aria-label={t('saved.name')}
              placeholder={t('saved.name')}
              aria-describedby={error === undefined ? undefined : errorId}
              maxLength={longestName}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <Button type="submit" size="sm" disabled={error !== undefined || name.trim() === ''}>
              {t('saved.save')}
            </Button>
          </chakra.form>
          <ErrorText id={errorId}>{error}</ErrorText>
        </chakra.div>
      )}
    </MoreButton>
  );
}

function ColumnChoice({ columns, name }: Omit<ListChoicesProps, 'whose'>) {
  const { t } = useTranslation('ui');
  const { change, hidden } = useListChoices(name);
  function toggle(id: string): void {
    const shows = hidden.includes(id);
    change((before) => {
      const others = before.hidden.filter((one) => one !== id);
      return { hidden: shows ? others : [...others, id] };
    });
  }
  const choosable = columns.filter(({ isRowHeader }) => !isRowHeader);
  return (
    <MoreButton label={t('columns.title')} text={t('columns.title')} icon={<Columns3 />} size="xs">
      {() => (
        <chakra.fieldset p="2">
          <chakra.legend srOnly>{t('columns.title')}</chakra.legend>
          {choosable.map(({ header, id }) => (
            <chakra.label
              key={id}
              display="flex"
              alignItems="center"
              gap="2"
              minH="8"
              px="1"
              cursor="pointer"
            >
              <chakra.input
                type="checkbox"
                boxSize="4"
                accentColor="accent.solid"
                checked={!hidden.includes(id)}
                onChange={() => toggle(id)}
              />
              {header}
            </chakra.label>
          ))}
          <chakra.p px="1" pt="1" fontSize="xs" color="fg.muted">
            {t('columns.help')}
          </chakra.p>
        </chakra.fieldset>
      )}
    </MoreButton>
  );
}
