import { useMemo } from 'react';
import { useLanguage } from '../../../lib/i18n.ts';
import { findTimeZones, hintOf, timeZones } from '../../../lib/time-zones.ts';
import type { ChoiceSource } from '../../../ui/form/combobox-field.tsx';

/** So many that a word more is quicker than scrolling. */
const most = 50;

/** The time zones by their IANA names, found by these and by what people call them. */
export const timeZoneChoices: ChoiceSource<string> = {
  useNameOf: (name) => name,
  useFound(typed, isOpen) {
    const language = useLanguage();
    const found = useMemo(
      () => (isOpen ? findTimeZones(timeZones(language), typed, most) : []),
      [isOpen, language, typed],
    );
    return {
      choices: found.map((zone) => ({ id: zone.name, name: zone.name, hint: hintOf(zone, language) })),
      isSearching: false,
      error: undefined,
    };
  },
};
