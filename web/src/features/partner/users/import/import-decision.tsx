import { chakra, Flex } from '@chakra-ui/react';
import { userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useApi } from '../../../../lib/api.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { Button } from '../../../../ui/button.tsx';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { forgetImport } from './checked-import.tsx';
import { ImportChanges } from './import-changes.tsx';
import { ImportCounts } from './import-counts.tsx';
import { importPaths } from './import-paths.ts';
import { changesAnything, type ImportState } from './use-import.ts';

/** What an import will do, whether it mails those who are new, and the word for it: with a tick where somebody is deleted. */
export function ImportDecision({ id, state }: { id: number; state: ImportState }) {
  const { t } = useTranslation(['userImport', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { showError } = useErrorModal();
  const { partner } = usePartnerSession();
  const [sendMails, setSendMails] = useState(true);
  const [acceptsDeletion, setAcceptsDeletion] = useState(false);
  const [isTickMissing, setTickMissing] = useState(false);
  const tick = useRef<HTMLInputElement>(null);
  const { deleteCount, mailCount } = state;
  const params = { pid: partner.id };
  const lookAgain = async () => queries.invalidateQueries({ queryKey: [userRoutes.getUserImport.id] });

  const apply = useAction({
    mutationFn: async () =>
      api.call(userRoutes.applyUserImport, { params, body: { batchProcessId: id, sendMails, deleteCount } }),
    async onSuccess() {
      // Whoever is new has an id afterwards.
      const changes = [userRoutes.listUserImportChanges.id];
      await queries.invalidateQueries({ queryKey: changes, refetchType: 'none' });
      await lookAgain();
    },
    onError(error) {
      showError(error);
      // Somebody else may have applied or cancelled it.
      void lookAgain();
    },
  });
  const cancel = useAction({
    mutationFn: async () => api.call(userRoutes.cancelUserImport, { params, body: { batchProcessId: id } }),
    async onSuccess() {
      forgetImport(partner.id, id);
      await navigate(importPaths.form);
      await lookAgain();
    },
    onError(error) {
      showError(error);
      void lookAgain();
    },
  });

  function submit(): void {
    if (deleteCount > 0 && !acceptsDeletion) {
      setTickMissing(true);
      tick.current?.focus();
      return;
    }
    apply.mutate();
  }

  return (
    <Flex direction="column" gap="4">
      <chakra.p color="fg.muted">{t('confirmLead')}</chakra.p>
      <ImportCounts state={state} />
      {changesAnything(state) ? (
        <ImportChanges id={id} state={state} />
      ) : (
        <Notice tone="info">{t('nothingToDo')}</Notice>
      )}
      {mailCount > 0 && (
        <Panel p="4" maxW="form">
          <Tick
            checked={sendMails}
            onChange={setSendMails}
            label={t('mails.send', { count: mailCount })}
            help={t(sendMails ? 'mails.help' : 'mails.later')}
          />
        </Panel>
      )}
      {deleteCount > 0 && (
        <chakra.div maxW="form">
          <Notice tone="warning">
            <chakra.p mb="2">{t('deletesForGood')}</chakra.p>
            <Tick
              ref={tick}
              checked={acceptsDeletion}
              onChange={(accepted) => {
                setAcceptsDeletion(accepted);
                setTickMissing(false);
              }}
              label={t('acceptDeletion', { count: deleteCount })}
              error={isTickMissing ? t('tickMissing') : undefined}
            />
          </Notice>
        </chakra.div>
      )}
      <Flex gap="2" wrap="wrap">
        <Button size="md" minW="8rem" pending={apply.isPending} disabled={cancel.isPending} onClick={submit}>
          {t('submit')}
        </Button>
        <Button
          size="md"
          variant="outline"
          colorPalette="gray"
          pending={cancel.isPending}
          disabled={apply.isPending}
          onClick={() => cancel.mutate()}
        >
          {t('giveUp')}
        </Button>
      </Flex>
    </Flex>
  );
}

interface TickProps {
  label: string;
  help?: string;
  error?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  ref?: RefObject<HTMLInputElement | null>;
}

function Tick({ label, help, error, checked, onChange, ref }: TickProps) {
  const id = useId();
  return (
    <>
      <chakra.label
        display="inline-flex"
        alignItems="flex-start"
        gap="2"
        minH="7"
        cursor="pointer"
        fontWeight="medium"
      >
        <chakra.input
          ref={ref}
          type="checkbox"
          boxSize="4"
          mt="1"
          flexShrink="0"
          accentColor="accent.solid"
          checked={checked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || help ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </chakra.label>
      {(error ?? help) && (
        <chakra.p id={id} ps="6" fontSize="xs" color={error ? 'fg.error' : 'fg.muted'}>
          {error ?? help}
        </chakra.p>
      )}
    </>
  );
}
