import { Box, chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  /** One line below the title. */
  lead?: ReactNode;
  /** What one does here, at the right. */
  action?: ReactNode;
  children: ReactNode;
}

/** A part of a page under its own heading. */
export function Section({ title, lead, action, children }: SectionProps) {
  const headingId = useId();
  return (
    <Box as="section" aria-labelledby={headingId} mb="7">
      <Flex justify="space-between" align="flex-end" gap="3" wrap="wrap" mb="2">
        <Box minW="0">
          <chakra.h2 id={headingId} fontSize="md" fontWeight="semibold">
            {title}
          </chakra.h2>
          {lead && (
            <chakra.p fontSize="xs" color="fg.muted">
              {lead}
            </chakra.p>
          )}
        </Box>
        {action}
      </Flex>
      {children}
    </Box>
  );
}
