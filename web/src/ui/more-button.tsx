import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, type ButtonProps, IconButton } from './button.tsx';
import { usePopup } from './use-popup.ts';

interface MoreButtonProps extends Pick<ButtonProps, 'colorPalette' | 'size' | 'variant'> {
  /** What it opens, in words. */
  label: string;
  /** Instead of the arrow. */
  icon?: ReactNode;
  /** Stands on the button, before the arrow. */
  text?: string;
  /** Buttons, with what they are good for; `close` gives the focus back. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens to more: small beside another of its kind, or with a text of its own. */
export function MoreButton({ label, icon, text, children, ...look }: MoreButtonProps) {
  const { button, close, isOpen, panelId, whole } = usePopup();
  return (
    // On narrow screens the panel takes the width of the page, wherever the button is.
    <chakra.div {...whole} position={{ base: 'static', md: 'relative' }}>
      {text === undefined ? (
        <IconButton {...button} label={label} icon={icon ?? <ChevronDown />} variant="outline" {...look} />
      ) : (
        <Button {...button} aria-label={label} icon={icon} variant="outline" colorPalette="gray" {...look}>
          {text}
          <ChevronDown />
        </Button>
      )}
      {isOpen && (
        <chakra.div
          id={panelId}
          position="absolute"
          zIndex="popup"
          insetInline={{ base: '4', md: 'auto' }}
          insetEnd={{ md: '0' }}
          w={{ md: '20rem' }}
          mt="1"
          p="1"
          bg="bg.panel"
          color="fg"
          fontWeight="normal"
          textAlign="start"
          whiteSpace="normal"
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
