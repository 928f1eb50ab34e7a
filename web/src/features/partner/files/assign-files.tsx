import { chakra } from '@chakra-ui/react';
import { type ApiError } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { oneByOne, Refused } from '../../../components/delete-records.tsx';
import type { FileRow } from '../../../components/files/file.ts';
import { ChooseGroupsDialog } from '../../../components/groups/choose-groups-dialog.tsx';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Choice } from '../../../ui/choice.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { NameList } from '../../../ui/feedback/name-list.tsx';
import { groupIdsAfter, type Way, ways } from './group-ids-after.ts';
import { useFilesChanged } from './use-files-changed.ts';

interface AssignFilesProps {
  files: readonly FileRow[];
  onClose: () => void;
  onDone: () => void;
}

/** Chooses the groups of several files at once, which are changed one after the other. */
export function AssignFiles({ files, onClose, onDone }: AssignFilesProps) {
  const { t } = useTranslation('files');
  const { number } = useFormat();
  const api = useApi();
  const filesChanged = useFilesChanged();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [way, setWay] = useState<Way>('add');
  const [done, setDone] = useState(0);

  /** Which of them it was, and what has become of the others. */
  function told(error: ApiError) {
    if (!(error instanceof Refused)) return error;
    const { at, message: reason, requestId, status } = error;
    const name = files[at]?.name ?? '';
    const counts = { done: number(at), left: number(files.length - at) };
    return { message: t('bulkAssign.refusedAt', { name, reason, ...counts }), requestId, status };
  }

  const assign = useAction({
    mutationFn: (groupIds: readonly number[]) =>
      oneByOne(async (id) => {
        const file = files.find((one) => one.id === id);
        const after = file && groupIdsAfter(file, way, groupIds);
        if (after) {
          const params = { pid: partner.id, id };
          await api.call(fileRoutes.assignGroups, { params, body: { groupIds: after } });
        }
        setDone((before) => before + 1);
      })(files.map(({ id }) => id)),
    onSuccess() {
      toast({ tone: 'success', message: t('bulkAssign.done', { count: files.length }) });
      onDone();
    },
    onError: (error) => showError(told(error)),
    onSettled() {
      onClose();
      return filesChanged();
    },
  });

  return (
    <ChooseGroupsDialog
      title={t('bulkAssign.title')}
      applyLabel={
        assign.isPending
          ? t('bulkAssign.running', { done: number(done), count: number(files.length) })
          : t('assignPage.apply')
      }
      isLoss={way === 'replace'}
      pending={assign.isPending}
      onApply={assign.mutate}
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
