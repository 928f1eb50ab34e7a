import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { type Day, dayOf, onDay, stepOf, type View } from './calendar-days.ts';
import type { MovableEntry } from './entries.ts';
import { useCalendarFormat } from './use-calendar-format.ts';

/** An entry on its way to another time. Nothing is changed before that is confirmed. */
export interface Moving {
  /** What is picked up, and where it would go now. */
  readonly held: { readonly entry: MovableEntry; readonly at: Date } | undefined;
  /** What is asked to be confirmed. */
  readonly asked: { readonly entry: MovableEntry; readonly at: Date } | undefined;
  begin(entry: MovableEntry): void;
  /** By an arrow key. Whether the key meant anything. */
  step(key: string): boolean;
  /** Asks to move what is held, or `dragged`, to another day, or an hour of it. */
  drop(day: Day, hour?: number, dragged?: MovableEntry): void;
  confirm(entry: MovableEntry, at: Date): void;
  cancel(): void;
  end(): void;
}

export function useMoving(view: View, setDay: (day: Day) => void): Moving {
  const { t } = useTranslation('calendar');
  const { announce } = useAnnouncer();
  const { momentName } = useCalendarFormat();
  const [held, setHeld] = useState<Moving['held']>();
  const [asked, setAsked] = useState<Moving['asked']>();
  const confirm = (entry: MovableEntry, at: Date) => {
    setHeld(undefined);
    setAsked({ entry, at });
  };
  return {
    held,
    asked,
    confirm,
    begin(entry) {
      setHeld({ entry, at: new Date(entry.at) });
    },
    step(key) {
      const at = held && stepOf(key, view, held.at);
      if (!held || !at) return false;
      setHeld({ ...held, at });
      // What is out of sight comes into view.
      setDay(dayOf(at));
      announce(t('movingTo', { time: momentName(at) }));
      return true;
    },
    drop(day, hour, dragged) {
      const entry = dragged ?? held?.entry;
      if (entry) confirm(entry, onDay(new Date(entry.at), day, hour));
    },
    cancel() {
      setHeld(undefined);
      announce(t('movingEnded'));
    },
    end() {
      setHeld(undefined);
      setAsked(undefined);
    },
  };
}
