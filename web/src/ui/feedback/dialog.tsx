import { Box, chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useAnnouncer } from './announcer.tsx';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
  /** Buttons, the safe one first. */
  actions?: ReactNode;
  width?: string;
  /** It stays until what it is about is done: Escape, the backdrop and the browser's own ways do not close it. */
  persistent?: boolean;
}

/** An element, and what it lies in as far as that can have the focus; from the inside out. */
function placesAround(element: Element | null): HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let one = element; one; one = one.parentElement) {
    if (one instanceof HTMLElement && (one === element || one.hasAttribute('tabindex'))) places.push(one);
  }
  return places;
}

/**
 * A modal dialog on the browser's own `<dialog>`: it traps the focus, makes the page inert, closes with Escape and
 * gives the focus back, and opens at once however long the page behind it is.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
  actions,
  width = 'dialog',
  persistent = false,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { appearIn } = useAnnouncer();

  useEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    // Should the element be gone afterwards, what it lay in gets the focus.
    const places = placesAround(document.activeElement);
    element.showModal();
    const appearElsewhere = appearIn(element);
    return () => {
      appearElsewhere();
      element.close();
      // The browser does this itself unless the element was re-rendered in the meantime.
      if (document.activeElement !== document.body) return;
      places.find((place) => place.isConnected)?.focus();
    };
  }, [open, appearIn]);

  if (!open) return null;
  return (
    <chakra.dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Browsers let an insistent Escape through.
      onClose={() => {
        if (persistent && dialog.current?.isConnected) dialog.current.showModal();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!persistent) onClose();
      }}
      onClick={(event) => {
        if (!persistent && event.target === event.currentTarget) onClose();
      }}
      m="auto"
      p="0"
      w={width}
      maxW="calc(100vw - 2rem)"
      maxH="calc(100dvh - 2rem)"
      color="fg"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="lg"
      css={{ '&::backdrop': { background: 'rgb(16 21 26 / 55%)' } }}
    >
      <Box p="6">
        <chakra.h2 id={titleId} fontSize="lg" fontWeight="semibold" lineHeight="tight">
          {title}
        </chakra.h2>
        {children && (
          <Box mt="3" color="fg.muted">
            {children}
          </Box>
        )}
        {actions && (
          <Flex mt="6" gap="2" justify="flex-end" wrap="wrap">
            {actions}
          </Flex>
        )}
      </Box>
    </chakra.dialog>
  );
}
