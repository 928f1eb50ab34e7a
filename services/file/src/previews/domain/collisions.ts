import type { Language, previewRoutes } from '@portal/contracts';
import { type AskedChange, bytesToCome, isTimed } from '../../changes/domain/asked-change.ts';
import type { FoundStanding } from '../../changes/domain/outcome.ts';
import { stateOf } from '../../rollouts/domain/rollout.ts';

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
const stagesEnd = (version: number): Texts => ({
  ja: `バージョン${version}の段階配信は終わり、全員に配信されます。`,
  en: `The stages of version ${version} end: everyone gets it.`,
});
const stagesHoldGroups = (version: number): Texts => ({
  ja: `バージョン${version}は段階配信中です。追加したグループには、段階に応じて配信されます。`,
  en: `Version ${version} goes out in stages: the groups that are added get it as its stages reach them.`,
});
const stagesStopped = (version: number): Texts => ({
  ja: `バージョン${version}の段階配信は停止または中止されています。追加したグループには配信されません。`,
  en: `The stages of version ${version} are halted or cancelled: the groups that are added do not get it.`,
});
const stagesReplaced = (version: number): Texts => ({
  ja: `バージョン${version}の段階配信は終わり、全員が新しいバージョンを受け取ります。`,
  en: `The stages of version ${version} end: everyone gets the new version.`,
});
const stagesStay = (version: number): Texts => ({
  ja: `バージョン${version}の段階配信は、その時点の段階で止まります。新しいバージョンが届いていない端末には、これまでどおりのバージョンが配信されます。`,
  en: `The stages of version ${version} stay as they are then: devices that the new version has not reached keep what these give them.`,
});
const stagesGo = (version: number): Texts => ({
  ja: `バージョン${version}の段階配信も終わります。`,
  en: `The stages of version ${version} end with the file.`,
});
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
  const stages = stagesMet(asked, { after, before });
  if (stages) met.push(['rollout', stages]);
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

/** What becomes of stages of the current version that are not done. */
function stagesMet(
  asked: AskedChange,
  { after, before }: { readonly before: FoundStanding; readonly after: FoundStanding },
): Texts | undefined {
  const { rollout, schedule } = before;
  const state = rollout ? stateOf(rollout) : 'done';
  if (schedule === null || state === 'done') return undefined;
  const { version } = schedule;
  const goesOn = state !== 'cancelled';
  switch (asked.what) {
    case 'deletion':
      return goesOn ? stagesGo(version) : undefined;
    case 'groups':
      if (asked.body.rollout !== undefined) return stagesEnd(version);
      if (after.groupIds.every((id) => before.groupIds.includes(id))) return undefined;
      return rollout?.state === 'open' ? stagesHoldGroups(version) : stagesStopped(version);
    case 'file':
    case 'reservation':
    case 'restore': {
      if (!goesOn || (asked.what !== 'restore' && bytesToCome(asked) === undefined)) return undefined;
      const keepsReserved = asked.what === 'reservation' && asked.body.rollout === undefined;
      const hasOwn = keepsReserved ? before.reservedRollout !== null : Boolean(asked.body.rollout);
      return hasOwn ? stagesStay(version) : stagesReplaced(version);
    }
    default:
      return undefined;
  }
}
