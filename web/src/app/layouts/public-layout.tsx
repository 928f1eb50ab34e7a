import { chakra, Flex } from '@chakra-ui/react';
import { Outlet } from 'react-router-dom';
import { Brand, Footer, Preferences, SkipLink } from './chrome.tsx';

/** The pages without a sign-in: no person in the header, one narrow column. */
export function PublicLayout() {
  return (
    <Flex direction="column" minH="100dvh">
      <SkipLink />
      <Flex
        as="header"
        align="center"
        justify="space-between"
        h="12"
        px={{ base: '3', md: '5' }}
        bg="bg.header"
      >
        <Brand to="/" />
        <Preferences />
      </Flex>
      <chakra.main
        id="main"
        tabIndex={-1}
        outline="0"
        flex="1"
        w="full"
        maxW="27rem"
        mx="auto"
        px="4"
        pt={{ base: '8', md: '16' }}
        pb="10"
      >
        <Outlet />
      </chakra.main>
      <Footer />
    </Flex>
  );
}
