import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';

export interface Popup {
  readonly isOpen: boolean;
  /** Around the button and the panel. */
  readonly whole: {
    readonly ref: RefObject<HTMLDivElement | null>;
    onKeyDown(event: KeyboardEvent): void;
  };
  readonly button: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly 'aria-expanded': boolean;
    readonly 'aria-controls': string | undefined;
    onClick(): void;
  };
  readonly panelId: string;
  /** Gives the focus back. */
  close(): void;
}

/** What a button opens beside itself. It closes with Escape, and with whatever is done elsewhere. */
export function usePopup(): Popup {
  const [isOpen, setIsOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  function close(): void {
    setIsOpen(false);
    button.current?.focus();
  }

  useEffect(() => {
    if (!isOpen) return;
    const closeElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeElsewhere);
    document.addEventListener('focusin', closeElsewhere);
    return () => {
      document.removeEventListener('pointerdown', closeElsewhere);
      document.removeEventListener('focusin', closeElsewhere);
    };
  }, [isOpen]);

  return {
    isOpen,
    whole: {
      ref: whole,
      onKeyDown(event) {
        if (event.key === 'Escape' && isOpen) close();
      },
    },
    button: {
      ref: button,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? panelId : undefined,
      onClick: () => setIsOpen(!isOpen),
    },
    panelId,
    close,
  };
}
