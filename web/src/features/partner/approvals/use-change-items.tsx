import { chakra } from '@chakra-ui/react';
import { fromWire, previewRoutes, type RolloutPlan } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { useStageWords } from '../../../components/rollout/plan-words.ts';
import { useFormat } from '../../../lib/format.ts';
import type { DescriptionItem } from '../../../ui/page/description-list.tsx';
import type { Approval } from './approval-parts.tsx';

/** Group 0 is everyone. */
const everyone = 0;

/** What a request is to change, in words: what its call was told. */
export function useChangeItems({ body, what }: Approval): DescriptionItem[] {
  const { t } = useTranslation(['approvals', 'rollout', 'ui']);
  const { dateTimeWithZone, fileSize, number } = useFormat();
  const groups = usePickableGroups();
  const nameOf = (id: number) =>
    id === everyone
      ? t('everyone')
      : (groups.data?.find((group) => group.id === id)?.title ?? t('group', { id }));
  const namesOf = (ids: readonly number[]) =>
    ids.length === 0 ? t('nobody') : ids.map(nameOf).join(t('separator'));
  const stageWords = useStageWords(namesOf);

  // What a body does not have is not changed.
  const told = <T,>(label: string, value: T | undefined, shown: (value: T) => string): DescriptionItem[] =>
    value === undefined ? [] : [{ label, value: shown(value) }];
  if (what === 'settings') {
    const kept = body['versions_kept'];
    return [
      { label: t('change'), value: t('settingsOff') },
      ...told(t('versionsKept'), typeof kept === 'number' ? kept : undefined, number),
    ];
  }
  const timeOrNone = (time: Date | null) =>
    time === null ? t('ui:none') : dateTimeWithZone(time.toISOString());
  const textOrNone = (text: string | null) => text || t('ui:none');
  const plain = (text: string) => text;
  // Without a word of stages those that there are stay.
  const stages = (rollout: RolloutPlan | null | undefined): DescriptionItem[] =>
    rollout === undefined
      ? []
      : [
          {
            label: t('rollout:how'),
            value: (
              <chakra.span whiteSpace="pre-line">
                {rollout === null ? t('rollout:ways.atOnce') : stageWords(rollout)}
              </chakra.span>
            ),
          },
        ];

  // As it was sent: with the names of the wire.
  const change = previewRoutes.change.safeParse(fromWire(previewRoutes.change)({ what, body }));
  if (!change.success) return [];
  switch (change.data.what) {
    case 'groups': {
      const { groupIds, notifyEmail, notifyPush, rollout } = change.data.body;
      const notices = [...(notifyEmail ? [t('byMail')] : []), ...(notifyPush ? [t('byPush')] : [])];
      return [
        { label: t('groups'), value: namesOf(groupIds) },
        ...stages(rollout),
        // Left out, they stay as they were asked for.
        ...told(t('notices'), notifyEmail ?? notifyPush, () => textOrNone(notices.join(t('separator')))),
      ];
    }
    case 'file': {
      const {
        deliverReservationAt,
        fileName,
        fileSize: size,
        name,
        note,
        rollout,
        versionNote,
      } = change.data.body;
      return [
        ...told(t('name'), name, plain),
        ...told(t('note'), note, textOrNone),
        ...told(t('newBytes'), fileName, plain),
        ...told(t('size'), size, fileSize),
        ...told(t('deliverAt'), deliverReservationAt, timeOrNone),
        ...stages(rollout),
        ...told(t('versionNote'), versionNote, textOrNone),
      ];
    }
    case 'reservation': {
      const { fileName, fileSize: size, rollout, updateReservationAt, versionNote } = change.data.body;
      return [
        ...told(t('updateAt'), updateReservationAt, timeOrNone),
        ...told(t('newBytes'), fileName, plain),
        ...told(t('size'), size, fileSize),
        ...stages(rollout),
        ...told(t('versionNote'), versionNote, textOrNone),
      ];
    }
    case 'restore': {
      const { rollout, updateReservationAt, version, versionNote } = change.data.body;
      return [
        { label: t('version'), value: version },
        ...told(t('updateAt'), updateReservationAt, timeOrNone),
        ...stages(rollout),
        ...told(t('versionNote'), versionNote, textOrNone),
      ];
    }
    case 'rollout': {
      const { action, stage } = change.data.body;
      return [{ label: t('rollout.label'), value: t(`rollout.${action}`, { stage: stage ?? '' }) }];
    }
    case 'cancel_reservation':
    case 'deletion':
      return [];
  }
}
