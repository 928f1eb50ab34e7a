import { chakra } from '@chakra-ui/react';
import { fileRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmChanges } from '../../../components/effect/confirm-changes.tsx';
import { useTwoPeopleDecide } from '../../../components/effect/use-two-people-decide.ts';
import type { FileRow } from '../../../components/files/file.ts';
import { ChooseGroupsDialog } from '../../../components/groups/choose-groups-dialog.tsx';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { useApi } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Choice } from '../../../ui/choice.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { NameList } from '../../../ui/feedback/name-list.tsx';
import { groupIdsAfter, type Way, ways } from './group-ids-after.ts';
import { useFilesChanged } from './use-files-changed.ts';

interface AssignFilesProps {
  files: readonly FileRow[];
  onClose: () => void;
  onDone: () => void;
}

/** Chooses the groups of several files at once, then asks with the effect on each. */
export function AssignFiles({ files, onClose, onDone }: AssignFilesProps) {
  const { t } = useTranslation('files');
  const [way, setWay] = useState<Way>('add');
  const { toast } = useAnnouncer();
  const [groupIds, setGroupIds] = useState<readonly number[]>();
  // What a file has already is no change of it.
  const changedBy = (chosen: readonly number[]) =>
    files.filter((file) => groupIdsAfter(file, way, chosen) !== undefined);
  if (groupIds) {
    return (
      <ConfirmAssignment
        files={changedBy(groupIds)}
        way={way}
        groupIds={groupIds}
        onClose={onClose}
        onDone={onDone}
      />
    );
  }
  return (
    <ChooseGroupsDialog
      title={t('bulkAssign.title')}
      applyLabel={t('assignPage.submit')}
      isLoss={false}
      pending={false}
      onApply={(chosen) => {
        if (changedBy(chosen).length > 0) {
          setGroupIds(chosen);
          return;
        }
        toast({ tone: 'success', message: t('bulkAssign.nothing') });
        onClose();
      }}
      onClose={onClose}
    >
      {t('bulkAssign.text', { count: files.length })}
      <NameList label={t('title')} names={files.map(({ name }) => name)} />
      <chakra.div my="3">
        <Choice
          legend={t('bulkAssign.way')}
          options={ways.map((value) => ({ value, label: t(`bulkAssign.ways.${value}`) }))}
          value={way}
          onChoose={setWay}
        />
        <chakra.p mt="1" fontSize="xs">
          {t(`bulkAssign.help.${way}`)}
        </chakra.p>
      </chakra.div>
    </ChooseGroupsDialog>
  );
}

interface ConfirmAssignmentProps extends AssignFilesProps {
  way: Way;
  groupIds: readonly number[];
}

function ConfirmAssignment({ files, groupIds, onClose, onDone, way }: ConfirmAssignmentProps) {
  const { t } = useTranslation('files');
  const api = useApi();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const filesChanged = useFilesChanged();
  const groups = usePickableGroups();
  const waits = useTwoPeopleDecide();
  // Nobody was asked here who is to be told: what was asked for before stays.
  const bodyOf = (file: FileRow) => ({ groupIds: groupIdsAfter(file, way, groupIds) ?? [] });
  const names = groups.data?.filter(({ id }) => groupIds.includes(id)).map(({ title }) => title) ?? [];
  return (
    <ConfirmChanges
      files={files}
      changeOf={(file) => ({ what: 'groups', body: bodyOf(file) })}
      apply={(file, previewToken) =>
        api.call(fileRoutes.assignGroups, {
          params: { pid: partner.id, id: file.id },
          body: { ...bodyOf(file), previewToken },
        })
      }
      waits={waits}
      title={t('bulkAssign.title')}
      confirmLabel={t('assignPage.apply')}
      tone={way === 'replace' ? 'danger' : 'accent'}
      onClose={onClose}
      onDone={async ({ changed }) => {
        if (changed.length > 0)
          toast({ tone: 'success', message: t('bulkAssign.done', { count: changed.length }) });
        onDone();
        await filesChanged();
      }}
    >
      {t(`bulkAssign.confirm.${way}`, { count: files.length })}
      <NameList label={t('assignPage.groups')} names={names} />
    </ConfirmChanges>
  );
}
