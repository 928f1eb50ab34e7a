import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { ListState } from '../../lib/list/use-list-state.ts';
import { SearchBox } from './search-box.tsx';
import { type Preset, SearchPanel, type SearchPanelProps } from './search-panel.tsx';

interface ListFiltersProps<F extends Record<string, string>> {
  list: ListState<string, F>;
  /** What the search box looks for, as in "ID or name"; a list without one has no box. */
  searchFor?: string;
  filters: SearchPanelProps<F>['filters'];
  presets?: readonly Preset<F>[];
  /** Filters that stand beside the search box. */
  children?: ReactNode;
  /** What stands at the end of the line of the filters. */
  choices?: ReactNode;
}

/** All that narrows a list down: the box that is always there, and the filters behind their button. */
export function ListFilters<F extends Record<string, string>>({
  list,
  searchFor,
  filters,
  presets = [],
  children,
  choices,
}: ListFiltersProps<F>) {
  return (
    <>
      <Flex gap="3" mb="3" wrap="wrap" align="center" _empty={{ display: 'none' }}>
        {searchFor !== undefined && <SearchBox list={list} label={searchFor} />}
        {children}
      </Flex>
      <SearchPanel list={list} filters={filters} presets={presets}>
        {choices}
      </SearchPanel>
    </>
  );
}
