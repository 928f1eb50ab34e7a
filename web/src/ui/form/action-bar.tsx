import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/**
 * The buttons of a long form, which stay in view at the lower edge while the form scrolls behind them. The theme keeps room for them
 * where the browser scrolls to a field that takes the focus.
 */
export function ActionBar({ children }: { children: ReactNode }) {
  return (
    <Flex
      data-action-bar=""
      position="sticky"
      bottom={{ base: 'var(--docked-bar, 0px)', md: '0' }}
      zIndex="sticky"
      gap="2"
      wrap="wrap"
      py="3"
      bg="bg"
      borderTopWidth="1px"
      _print={{ position: 'static' }}
    >
      {children}
    </Flex>
  );
}
