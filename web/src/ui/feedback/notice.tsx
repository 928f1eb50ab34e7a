import { Box, Flex } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleAlert };

interface NoticeProps {
  tone: keyof typeof icons;
  children: ReactNode;
}

/** A message that stays on the page. Errors are read out at once. */
export function Notice({ tone, children }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <Flex
      role={tone === 'error' ? 'alert' : 'note'}
      gap="2.5"
      px="3"
      py="2.5"
      bg={`bg.${tone}`}
      borderWidth="1px"
      borderColor={tone === 'error' ? 'danger.border' : `${tone}.border`}
      borderRadius="md"
    >
      <Box color={`fg.${tone}`} pt="0.5" flexShrink="0">
        <Icon size={18} aria-hidden />
      </Box>
      <Box flex="1" minW="0" wordBreak="auto-phrase" textWrap="pretty">
        {children}
      </Box>
    </Flex>
  );
}
