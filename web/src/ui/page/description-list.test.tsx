import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createPortalSystem } from '../theme.ts';
import { DescriptionList } from './description-list.tsx';

it('shows what was before beside the word for it, lists of names too', () => {
  const before = (
    <ul>
      <li>Sales</li>
    </ul>
  );
  render(
    <ChakraProvider value={createPortalSystem()}>
      <DescriptionList items={[{ label: 'Groups', value: 'Field', before }]} />
    </ChakraProvider>,
  );
  // A list ends a paragraph, which would put it on a line of its own.
  expect(screen.getByText('Sales').closest('p')).toBeNull();
  expect(screen.getByText('Sales').closest('del')).toBeTruthy();
});
