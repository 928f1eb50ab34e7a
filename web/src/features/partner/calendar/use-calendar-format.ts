import type { Language } from '@portal/contracts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../lib/i18n.ts';
import { beginOf, type Day, type View, weekOf } from './calendar-days.ts';

const locales: Readonly<Record<Language, string>> = { ja: 'ja-JP', en: 'en-GB' };

/** Days, weeks and months in words, in the viewer's zone. */
export function useCalendarFormat() {
  const { t } = useTranslation('calendar');
  const language = useLanguage();
  return useMemo(() => {
    const locale = locales[language];
    const month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long' });
    const date = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', day: 'numeric' });
    const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });
    const longDay = new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      weekday: 'short',
    });
    const moment = new Intl.DateTimeFormat(locale, {
      month: language === 'ja' ? 'long' : 'short',
      day: 'numeric',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    return {
      /** The day with its weekday and year. */
      dayName: (day: Day) => longDay.format(beginOf(day)),
      weekdayName: (day: Day) => weekday.format(beginOf(day)),
      /** Day, weekday and minute. */
      momentName: (at: Date) => moment.format(at),
      /** What a view shows. */
      periodName(view: View, day: Day): string {
        if (view !== 'week') return month.format(beginOf(day));
        const week = weekOf(day, language);
        const [from = day] = week;
        return t('weekOf', {
          from: date.format(beginOf(from)),
          to: date.format(beginOf(week.at(-1) ?? day)),
        });
      },
    };
  }, [language, t]);
}
