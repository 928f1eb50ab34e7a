import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { usePopup } from './use-popup.ts';

interface MoreButtonProps {
  /** What it opens, in words. */
  label: string;
  /** Buttons, with what they are good for; `close` gives the focus back. */
  children: (close: () => void) => ReactNode;
}

/** A small button beside another that opens to more of its kind. */
export function MoreButton({ label, children }: MoreButtonProps) {
  const { button, close, isOpen, panelId, whole } = usePopup();
  return (
    // On narrow screens the panel takes the width of the page, wherever the button is.
    <chakra.div {...whole} position={{ base: 'static', md: 'relative' }}>
      <IconButton {...button} label={label} icon={<ChevronDown />} variant="outline" />
      {isOpen && (
        <chakra.div
          id={panelId}
          position="absolute"
          zIndex="2"
          insetInline={{ base: '4', md: 'auto' }}
          insetEnd={{ md: '0' }}
          w={{ md: '20rem' }}
          mt="1"
          p="1"
          bg="bg.panel"
          borderWidth="1px"
          borderRadius="md"
          boxShadow="md"
        >
          {children(close)}
        </chakra.div>
      )}
    </chakra.div>
  );
}
