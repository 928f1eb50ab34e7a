import { ChakraProvider } from '@chakra-ui/react';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { createSelection } from '../../lib/list/use-selection.ts';
import { createPortalSystem } from '../theme.ts';
import { type Column, DataTable } from './data-table.tsx';

interface Row {
  id: number;
  name: string;
}

const columns: readonly Column<Row, 'name' | 'id'>[] = [
  { id: 'id', header: 'Number', cell: ({ id }) => id, orderKey: 'id', numeric: true },
  { id: 'name', header: 'Name', cell: ({ name }) => name, orderKey: 'name', isRowHeader: true },
  { id: 'plain', header: 'Plain', cell: () => 'x' },
];
const rows = [
  { id: 1, name: 'One' },
  { id: 2, name: 'Two' },
];

function show(props: Partial<Parameters<typeof DataTable<Row, 'name' | 'id'>>[0]> = {}) {
  render(
    <ChakraProvider value={createPortalSystem()}>
      <MemoryRouter>
        <DataTable
          caption="Things"
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          {...props}
        />
      </MemoryRouter>
    </ChakraProvider>,
  );
}

describe('the table', () => {
  it('has a name, row headers, and the direction of its sort', async () => {
    const sortBy = vi.fn();
    show({ sort: { orderKey: 'name', order: 'desc', sortBy } });
    expect(screen.getByRole('table', { name: 'Things' })).toBeTruthy();
    expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['One', 'Two']);
    const header = (name: string) => screen.getByRole('columnheader', { name });
    expect(header('Name').getAttribute('aria-sort')).toBe('descending');
    expect(header('Number').getAttribute('aria-sort')).toBeNull();
    expect(within(header('Plain')).queryByRole('button')).toBeNull();
    await userEvent.click(within(header('Number')).getByRole('button'));
    expect(sortBy).toHaveBeenCalledWith('id');
  });

  it('names its checkboxes and tells a part from the whole', async () => {
    const selection = createSelection();
    selection.toggle(2);
    show({ selection });
    const all = screen.getByRole('checkbox', { name: 'このページの行をすべて選択' });
    expect(all).toHaveProperty('indeterminate', true);
    expect(screen.getByRole('row', { name: /Two/ }).getAttribute('aria-selected')).toBe('true');
    await userEvent.click(all);
    expect([...selection.current().ids]).toEqual([2, 1]);
    expect(all).toHaveProperty('indeterminate', false);
    await userEvent.click(screen.getByRole('checkbox', { name: '「One」を選択' }));
    expect([...selection.current().ids]).toEqual([2]);
    expect(screen.getByRole('row', { name: /One/ }).getAttribute('aria-selected')).toBe('false');
  });

  it('renders no cell again when a row is ticked', async () => {
    const cell = vi.fn(({ name }: Row) => name);
    show({
      selection: createSelection(),
      columns: [{ id: 'name', header: 'Name', cell, isRowHeader: true }],
    });
    const before = cell.mock.calls.length;
    await userEvent.click(screen.getByRole('checkbox', { name: '「One」を選択' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'このページの行をすべて選択' }));
    expect(screen.getByRole('row', { name: /Two/ }).getAttribute('aria-selected')).toBe('true');
    expect(cell.mock.calls.length).toBe(before);
  });

  it('is busy while it loads, with as many rows as will come', () => {
    show({ rows: undefined, expectedRows: 4 });
    const table = screen.getByRole('table', { name: 'Things' });
    expect(table.getAttribute('aria-busy')).toBe('true');
    expect(within(table).getAllByRole('row')).toHaveLength(5);
  });
});
