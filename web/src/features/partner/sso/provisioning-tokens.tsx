import { chakra } from '@chakra-ui/react';
import { type RouteReply, ssoLimits, ssoTokenRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { Asked, useAsking } from '../../../components/asking.tsx';
import { ShownOnceDialog } from '../../../components/shown-once-dialog.tsx';
import { useTenant } from '../../../components/tenant.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { bodyOf, failureOf, useContractForm } from '../../../lib/contract-form.ts';
import { useFormat } from '../../../lib/format.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyValue } from '../../../ui/copy-button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { TextField } from '../../../ui/form/fields.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { type Column, DataTable } from '../../../ui/list/data-table.tsx';
import { RowButton } from '../../../ui/list/row-actions.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';

type Token = RouteReply<typeof ssoTokenRoutes.listProvisioningTokens>['tokens'][number];

/** Where the identity provider sends changes of people and groups, and the tokens with which it may. */
export function ProvisioningTokens({ scimUrl }: { scimUrl: string }) {
  const { t } = useTranslation('sso');
  const { isOwn } = useTenant();
  return (
    <Section title={t('tokens.title')} lead={t('tokens.lead')}>
      <Panel mb="3">
        <DescriptionList
          items={[
            {
              label: t('tokens.baseUrl'),
              value: <CopyValue text={scimUrl} label={t('copy', { name: t('tokens.baseUrl') })} />,
            },
          ]}
        />
      </Panel>
      {isOwn ? <Tokens /> : <chakra.p color="fg.muted">{t('tokens.ofCompany')}</chakra.p>}
    </Section>
  );
}

function Tokens() {
  const { t } = useTranslation('sso');
  const { dateTime } = useFormat();
  const { id: pid } = useTenant();
  const { data, error, refetch } = useApiQuery(ssoTokenRoutes.listProvisioningTokens, { params: { pid } });
  const revoking = useAsking<Token>();
  const [isMaking, setIsMaking] = useState(false);
  const isFull = data !== undefined && data.tokens.length >= ssoLimits.maxTokens;
  const columns: readonly Column<Token>[] = [
    {
      id: 'name',
      header: t('tokens.name'),
      cell: ({ name }) => <LongWord>{name}</LongWord>,
      isRowHeader: true,
    },
    {
      id: 'lastUsedAt',
      header: t('tokens.lastUsedAt'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? dateTime(lastUsedAt) : t('tokens.neverUsed')),
      numeric: true,
      width: '12rem',
      wideOnly: true,
      onCard: true,
    },
    {
      id: 'createdAt',
      header: t('tokens.createdAt'),
      cell: ({ createdAt }) => dateTime(createdAt),
      numeric: true,
      width: '12rem',
      wideOnly: true,
      onCard: true,
    },
  ];
  if (error && !data) {
    return (
      <Panel>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  return (
    <>
      <Panel mb="3">
        {data?.tokens.length === 0 ? (
          <chakra.p px="5" py="4" color="fg.muted">
            {t('tokens.empty')}
          </chakra.p>
        ) : (
          <DataTable
            caption={t('tokens.listTitle')}
            columns={columns}
            rows={data?.tokens}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            expectedRows={1}
            rowActions={(token) => (
              <RowButton
                action={t('tokens.revoke')}
                name={token.name}
                icon={<Ban />}
                onClick={() => revoking.ask(token)}
              />
            )}
          />
        )}
      </Panel>
      {isFull ? (
        <Notice tone="info">{t('tokens.full', { max: ssoLimits.maxTokens })}</Notice>
      ) : (
        <Button variant="outline" icon={<Plus />} disabled={!data} onClick={() => setIsMaking(true)}>
          {t('tokens.create')}
        </Button>
      )}
      {isMaking && <TokenDialog onClose={() => setIsMaking(false)} />}
      <Asked asking={revoking}>{(token) => <Revocation token={token} onClose={revoking.close} />}</Asked>
    </>
  );
}

function useTokensChanged() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [ssoTokenRoutes.listProvisioningTokens.id] });
}

const schema = bodyOf(ssoTokenRoutes.createProvisioningToken);

/** Asks for a name, and then shows the token, which nobody can read again. */
function TokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['sso', 'ui']);
  const { id: pid } = useTenant();
  const api = useApi();
  const changed = useTokensChanged();
  const [token, setToken] = useState<string>();
  const form = useContractForm<z.input<typeof schema>>(schema, { name: '' }, { name: t('tokens.name') });
  const creation = useAction({
    mutationFn: (body: z.input<typeof schema>) =>
      api.call(ssoTokenRoutes.createProvisioningToken, { params: { pid }, body }),
    async onSuccess(made) {
      setToken(made.token);
      await changed();
    },
    onError: (error) => form.fail(failureOf(error)),
  });
  if (token !== undefined) {
    return (
      <ShownOnceDialog
        title={t('tokens.made')}
        text={t('tokens.madeText')}
        value={token}
        label={t('tokens.token')}
        copyLabel={t('tokens.copy')}
        doneLabel={t('tokens.done')}
        leaving={{
          title: t('tokens.leaveTitle'),
          text: t('tokens.leaveText'),
          leaveLabel: t('tokens.leave'),
        }}
        onClose={onClose}
      />
    );
  }
  return (
    // What is made is shown once: it is too late to cancel.
    <Dialog open persistent={creation.isPending} title={t('tokens.create')} onClose={onClose}>
      <Form
        form={form}
        submitLabel={t('tokens.create')}
        pending={creation.isPending}
        onSubmit={(values) => creation.mutate(values)}
        disposable
        cancel={
          <Button
            size="md"
            variant="outline"
            colorPalette="gray"
            disabled={creation.isPending}
            onClick={onClose}
          >
            {t('ui:cancel')}
          </Button>
        }
      >
        <TextField {...form.field('name')} required help={t('tokens.nameHelp')} />
      </Form>
    </Dialog>
  );
}

function Revocation({ token, onClose }: { token: Token; onClose: () => void }) {
  const { t } = useTranslation('sso');
  const { id: pid } = useTenant();
  const api = useApi();
  const changed = useTokensChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const { id, name } = token;
  const revocation = useAction({
    mutationFn: () => api.call(ssoTokenRoutes.deleteProvisioningToken, { params: { pid, id } }),
    async onSuccess() {
      await changed();
      onClose();
      toast({ tone: 'success', message: t('tokens.revoked', { name }) });
    },
    onError(error) {
      onClose();
      showError(error);
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('tokens.revokeTitle')}
      confirmLabel={t('tokens.revoke')}
      pending={revocation.isPending}
      onConfirm={() => revocation.mutate()}
      onCancel={onClose}
    >
      {t('tokens.revokeText', { name })}
    </ConfirmDialog>
  );
}
