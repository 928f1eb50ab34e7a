import type { Language } from '@portal/contracts';
import ical, { escape, ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import type { CalendarEntry, CalendarKind } from './entry.ts';

/** What calendar programs show. In the portal these are texts of the web client. */
const words: Readonly<Record<Language, Readonly<Record<CalendarKind | 'name' | 'version', string>>>> = {
  ja: {
    name: '配信カレンダー',
    version: '（バージョン{version}）',
    delivery: '配信',
    update: '更新',
    stage: '段階配信',
    push: 'プッシュ通知',
    certificate_end: '証明書の期限',
    licence_end: 'ライセンスの期限',
  },
  en: {
    name: 'Delivery calendar',
    version: ' (version {version})',
    delivery: 'Delivery',
    update: 'Update',
    stage: 'Next stage',
    push: 'Push notification',
    certificate_end: 'Certificate ends',
    licence_end: 'Licence ends',
  },
};

/** Where one sees more of an entry, in the portal. */
function pageOf({ certificationId, fileId, kind, notificationId }: CalendarEntry): string {
  if (kind === 'push') return `push-notifications/detail/?id=${notificationId}`;
  if (kind === 'certificate_end') return `certifications/detail/?id=${certificationId}`;
  return kind === 'licence_end' ? 'summary' : `files/detail/?id=${fileId}`;
}

/** How often a program is asked to look again, in seconds. */
const lookAgainAfter = 3_600;

/**
 * The entries as a calendar by RFC 5545. An entry that moves keeps its UID, so that it moves in the program as well. It takes no
 * time of whoever sees it.
 */
export function calendarFile(
  entries: readonly CalendarEntry[],
  context: {
    readonly company: string;
    readonly language: Language;
    readonly now: Date;
    /** Where the portal is. */
    readonly publicUrl: string;
  },
): string {
  const { company, language, now, publicUrl } = context;
  const say = words[language];
  const { host } = new URL(publicUrl);
  const name = company === '' ? say.name : `${say.name}: ${company}`;
  const calendar = ical({
    // The library writes names as they come.
    name: escape(name, false),
    prodId: { company: 'Haishin Portal', product: 'Calendar', language: language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: lookAgainAfter,
  });
  for (const entry of entries) {
    const { at, key, kind, title, version } = entry;
    const ofVersion = version === null ? '' : say.version.replace('{version}', String(version));
    calendar.createEvent({
      id: `${key}@${host}`,
      stamp: now,
      start: at,
      summary: `${say[kind]}: ${title}${kind === 'update' || kind === 'stage' ? ofVersion : ''}`,
      transparency: ICalEventTransparency.TRANSPARENT,
      url: `${publicUrl}/partner/${pageOf(entry)}`,
    });
  }
  // Each line ends with CRLF, the last one too.
  return `${calendar.toString()}\r\n`;
}
