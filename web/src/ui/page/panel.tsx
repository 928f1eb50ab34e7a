import { Box, type BoxProps } from '@chakra-ui/react';

/** A surface on the page. */
export function Panel(props: BoxProps) {
  return <Box bg="bg.panel" borderWidth="1px" borderRadius="md" {...props} />;
}
