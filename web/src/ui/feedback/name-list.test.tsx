import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createPortalSystem } from '../theme.ts';
import { NameList } from './name-list.tsx';

const listOf = (count: number) => {
  const names = Array.from({ length: count }, (_, index) => `Name ${index}`);
  render(
    <ChakraProvider value={createPortalSystem()}>
      <NameList label={`${count} names`} names={names} />
    </ChakraProvider>,
  );
  return screen.getByRole('list', { name: `${count} names` });
};

it('names all, and can be scrolled with the keyboard where there are many', () => {
  expect(listOf(7).tabIndex).toBe(-1);
  const many = listOf(8);
  expect(many.tabIndex).toBe(0);
  expect(many.childElementCount).toBe(8);
});
