import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from './button.tsx';

interface MoreButtonProps {
  /** What it opens, in words. */
  label: string;
  /** Buttons, with what they are good for; `close` gives the focus back. */
  children: (close: () => void) => ReactNode;
}

/** A small button beside another that opens to more of its kind. It closes with Escape, and with whatever is done elsewhere. */
export function MoreButton({ label, children }: MoreButtonProps) {
  const [open, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  useEffect(() => {
    if (!open) return;
    const closeElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeElsewhere);
    document.addEventListener('focusin', closeElsewhere);
    return () => {
      document.removeEventListener('pointerdown', closeElsewhere);
      document.removeEventListener('focusin', closeElsewhere);
    };
  }, [open]);

  return (
    <chakra.div
      ref={whole}
      // On narrow screens the panel takes the width of the page, wherever the button is.
      position={{ base: 'static', md: 'relative' }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) close();
      }}
    >
      <IconButton
        ref={button}
        label={label}
        icon={<ChevronDown />}
        variant="outline"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
      />
      {open && (
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
