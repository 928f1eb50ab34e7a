import { chakra, Flex, Stack } from '@chakra-ui/react';
import { fileRoutes, limits } from '@portal/contracts';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { type FileDetail } from '../../../../components/files/file.ts';
import type { PickableGroup } from '../../../../components/groups/group-picker.tsx';
import { useApi } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useUnsavedWork } from '../../../../lib/unsaved-work.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { useAnnouncer } from '../../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { NameList } from '../../../../ui/feedback/name-list.tsx';
import { FormSection } from '../../../../ui/form/form.tsx';
import { type AudienceKind, fileListPath } from '../file-flows.ts';
import { useFilesChanged } from '../use-files-changed.ts';
import { useAudienceKinds } from '../use-may-distribute.ts';
import { assignWithRetry } from './assign-with-retry.ts';
import { AudienceChoice, AudienceCount, everyone, groupIdsOf } from './audience-choice.tsx';
import { NoticeChoice, type Notices, useNoticeNames } from './notice-choice.tsx';

/** Which groups get the file. Nothing is sent before a dialog has named them. */
export function AssignForm({ file, groups }: { file: FileDetail; groups: readonly PickableGroup[] }) {
  const { t } = useTranslation(['files', 'ui']);
  const format = useFormat();
  const api = useApi();
  const filesChanged = useFilesChanged();
  const navigate = useNavigate();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();

  const hasEveryone = file.groups.some(({ id }) => id === everyone);
  const kinds = useAudienceKinds(['everyone', 'groups'], hasEveryone);
  const [to, setTo] = useState<AudienceKind>(hasEveryone ? 'everyone' : 'groups');
  const [chosen, setChosen] = useState<readonly number[]>(() =>
    file.groups.map(({ id }) => id).filter((id) => groups.some((group) => group.id === id)),
  );
  const [notices, setNotices] = useState<Notices>({ notifyEmail: false, notifyPush: false });
  const namesOfNotices = useNoticeNames();
  const [asking, setAsking] = useState(false);
  const [attempt, setAttempt] = useState(1);

  // A group that has gone meanwhile can't be seen, so it can't be meant.
  const present = chosen.filter((id) => groups.some((group) => group.id === id));
  const groupIds = groupIdsOf(to, present);
  const saved = useRef(groupIds.join());
  useUnsavedWork(() => groupIds.join() !== saved.current);

  const nameOf = (id: number) =>
    id === everyone ? t('everyone') : groups.find((group) => group.id === id)?.title;
  const namesOf = (ids: readonly number[]) => ids.flatMap((id) => nameOf(id) ?? []);
  const named = namesOf(groupIds);
  const before = file.groups.map(({ id, name }) => nameOf(id) ?? name);

  const assign = useAction({
    mutationFn() {
      const body = { groupIds, ...notices };
      const params = { pid: partner.id, id: file.id };
      return assignWithRetry(() => api.call(fileRoutes.assignGroups, { params, body }), setAttempt);
    },
    async onSuccess() {
      saved.current = groupIds.join();
      toast({ tone: 'success', message: t('assignPage.done', { name: file.name }) });
      await filesChanged();
      await navigate(fileListPath);
    },
    onError(error) {
      setAsking(false);
      showError(error);
    },
    onSettled: () => setAttempt(1),
  });

  return (
    <chakra.form
      maxW="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsking(true);
      }}
    >
      <Stack gap="5">
        <FormSection>
          <AudienceChoice
            kinds={kinds}
            to={to}
            onTo={setTo}
            groups={groups}
            chosen={present}
            onChosen={setChosen}
          />
        </FormSection>
        <FormSection>
          <fieldset>
            <chakra.legend fontWeight="semibold">{t('assignPage.notify')}</chakra.legend>
            <chakra.p fontSize="xs" color="fg.muted" mb="1">
              {t('assignPage.notifyHelp')}
            </chakra.p>
            <NoticeChoice
              notices={notices}
              onChange={(change) => setNotices((before) => ({ ...before, ...change }))}
            />
          </fieldset>
        </FormSection>
        <Flex gap="2" wrap="wrap">
          <Button type="submit" size="md" minW="8rem">
            {t('assignPage.submit')}
          </Button>
          <ButtonLink to={fileListPath} size="md" variant="outline" colorPalette="gray">
            {t('ui:cancel')}
          </ButtonLink>
        </Flex>
      </Stack>
      <ConfirmDialog
        open={asking}
        title={t('assignPage.confirmTitle')}
        confirmLabel={t('assignPage.apply')}
        tone={named.length === 0 ? 'danger' : 'accent'}
        pending={assign.isPending}
        onConfirm={() => assign.mutate()}
        onCancel={() => setAsking(false)}
      >
        {named.length === 0 ? (
          t('assignPage.confirmNone', { name: file.name })
        ) : (
          <>
            {t('assignPage.confirmText', { name: file.name })}
            <NameList label={t('assignPage.groupsAfter')} names={named} />
            <AudienceCount groupIds={groupIds} />
            <chakra.p mt="3">{t('assignPage.confirmNotify', { notify: namesOfNotices(notices) })}</chakra.p>
          </>
        )}
        <chakra.div mt="3">
          {before.length === 0 ? t('assignPage.beforeNone') : t('assignPage.before')}
          {before.length > 0 && <NameList label={t('assignPage.before')} names={before} />}
        </chakra.div>
        {attempt > 1 && (
          <chakra.p mt="3" role="status" color="fg.info">
            {t('assignPage.waiting', {
              attempt: format.number(attempt),
              attempts: format.number(limits.assignmentAttempts),
            })}
          </chakra.p>
        )}
      </ConfirmDialog>
    </chakra.form>
  );
}
