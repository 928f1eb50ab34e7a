import type { Language, previewRoutes } from '@portal/contracts';
import { type AskedChange, bytesToCome, isTimed } from '../../changes/domain/asked-change.ts';
import type { FoundStanding } from '../../changes/domain/outcome.ts';

interface Collision {
  readonly kind: previewRoutes.CollisionKind;
  readonly message: string;
}

type Texts = Record<Language, string>;

const reservationReplaced: Texts = {
  ja: '予約済みの更新があり、この変更で置き換えられます。',
  en: 'An update is reserved already; this takes its place.',
};
const reservationStays: Texts = {
  ja: '予約済みの更新はそのまま残り、予約日時にこのバージョンと入れ替わります。',
  en: 'An update is reserved: it stays so, and takes the place of this version at its time.',
};
const reservationGoes: Texts = {
  ja: '予約済みの更新も削除されます。',
  en: 'The update that is reserved goes with the file.',
};
const uploadEnds: Texts = {
  ja: '完了していないアップロードがあり、この変更で終了します。',
  en: 'An upload that is not complete ends by this.',
};
const approvalWaits: Texts = {
  ja: 'このファイルには承認待ちの変更があり、この変更のあとは承認できなくなることがあります。',
  en: 'A change of this file waits for approval; after this one it may not be approved any more.',
};
const versionGoes = (version: number): Texts => ({
  ja: `保存するバージョン数を超えるため、バージョン${version}のデータは7日後に削除されます。`,
  en: `Version ${version} is not among those that are kept any more: its bytes are removed after 7 days.`,
});

/** What a change meets without being refused for it. */
export function collisionsOf(
  asked: AskedChange,
  { after, before }: { readonly before: FoundStanding; readonly after: FoundStanding },
  { versionsKept, waiting }: { readonly versionsKept: number; readonly waiting: number },
  language: Language,
): Collision[] {
  const met: [previewRoutes.CollisionKind, Texts][] = [];
  const brings = bytesToCome(asked) !== undefined;
  const isNew = brings || asked.what === 'restore';
  if (before.updatePending) {
    if (asked.what === 'deletion') met.push(['reservation', reservationGoes]);
    else if (isNew) met.push(['reservation', isTimed(asked) ? reservationReplaced : reservationStays]);
  }
  const slot = isTimed(asked) ? 'reserved' : 'current';
  const isUploading =
    before.openSlots.length > 0 &&
    (asked.what === 'deletion' ||
      (brings && before.openSlots.includes(slot)) ||
      (asked.what === 'restore' && isTimed(asked) && before.openSlots.includes('reserved')));
  if (isUploading) met.push(['upload', uploadEnds]);
  const falls = (before.schedule?.version ?? 0) + 1 - versionsKept;
  if (isNew && after.schedule !== null && falls >= 1) met.push(['limit', versionGoes(falls)]);
  if (waiting > 0) met.push(['approval', approvalWaits]);
  return met.map(([kind, texts]) => ({ kind, message: texts[language] }));
}
