import { chakra } from '@chakra-ui/react';
import { userRoutes } from '@portal/contracts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { GroupPicker, type PickableGroup } from '../../../../components/groups/group-picker.tsx';
import { useApi } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { DetailSkeleton } from '../../../../ui/feedback/states.tsx';
import { ChoiceLine } from '../../../../ui/form/choice-line.tsx';
import type { AudienceKind } from '../file-flows.ts';

/** Group 0 is everyone. */
export const everyone = 0;

/** The groups that a choice stands for, in the order of their ids. */
export function groupIdsOf(to: AudienceKind, chosen: readonly number[]): number[] {
  if (to === 'everyone') return [everyone];
  return to === 'groups' ? [...chosen].sort((a, b) => a - b) : [];
}

interface AudienceChoiceProps {
  /** What there is to choose from. */
  kinds: readonly AudienceKind[];
  to: AudienceKind;
  onTo: (to: AudienceKind) => void;
  /** Undefined while they are loaded. */
  groups: readonly PickableGroup[] | undefined;
  chosen: readonly number[];
  onChosen: (ids: readonly number[]) => void;
  /** Of the first group's box, where something leads to the groups. */
  pickerId?: string;
}

/** Who gets a file, and how many people that is. */
export function AudienceChoice({ kinds, to, onTo, groups, chosen, onChosen, pickerId }: AudienceChoiceProps) {
  const { t } = useTranslation('files');
  return (
    <>
      <fieldset>
        <chakra.legend fontWeight="semibold" mb="1">
          {t('assignPage.to')}
        </chakra.legend>
        {kinds.map((kind) => (
          <ChoiceLine
            key={kind}
            type="radio"
            name="to"
            label={t(`assignPage.kinds.${kind}`)}
            {...(kind !== 'groups' && { help: t(`assignPage.kindsHelp.${kind}`) })}
            checked={to === kind}
            onChange={() => onTo(kind)}
          />
        ))}
      </fieldset>
      {to === 'groups' && (
        <fieldset>
          <chakra.legend fontWeight="semibold" mb="1.5">
            {t('assignPage.groups')}
          </chakra.legend>
          {groups ? (
            <GroupPicker
              groups={groups}
              chosen={chosen}
              onChange={onChosen}
              {...(pickerId && { id: pickerId })}
            />
          ) : (
            <DetailSkeleton rows={2} />
          )}
        </fieldset>
      )}
      <AudienceCount groupIds={groupIdsOf(to, chosen)} />
    </>
  );
}

/** How many people and devices are in these groups, each counted once. */
export function AudienceCount({ groupIds }: { groupIds: readonly number[] }) {
  const { t } = useTranslation('files');
  const { number } = useFormat();
  const api = useApi();
  const { partner } = usePartnerSession();
  const params = { pid: partner.id };
  const ids = [...groupIds];
  const { data, isError } = useQuery({
    queryKey: [userRoutes.countAudience.id, params, ids],
    queryFn: ({ signal }) => api.call(userRoutes.countAudience, { params, body: { groupIds: ids }, signal }),
    enabled: ids.length > 0,
    // The number that stands there while the next one is counted would be that of others.
    staleTime: 0,
  });
  if (ids.length === 0) return null;
  return (
    <chakra.p role="status" fontVariantNumeric="tabular-nums" minH="1lh">
      {data
        ? t('assignPage.recipients', { users: number(data.users), devices: number(data.devices) })
        : t(isError ? 'assignPage.notCounted' : 'assignPage.counting')}
    </chakra.p>
  );
}
