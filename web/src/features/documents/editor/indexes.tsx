import { chakra, Flex, Input } from '@chakra-ui/react';
import { documentLimits, documentRoutes } from '@portal/contracts';
import { Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { EmptyState, ErrorState, PageSpinner } from '../../../ui/feedback/states.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useKeptFocus } from '../../../ui/use-kept-focus.ts';
import type { KnownField } from './known-fields.ts';
import { useDatabase } from './open-database.ts';
import { useDocumentsChanged } from './use-documents.ts';

interface IndexesProps {
  name: string;
  fields: readonly KnownField[];
}

/** The indexes of a collection: what makes a filter by a field quick. */
export function Indexes({ fields, name }: IndexesProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { db, writable } = useDatabase();
  const api = useApi();
  const changed = useDocumentsChanged();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const params = { db, name };
  const { data, error, refetch } = useApiQuery(documentRoutes.listIndexes, { params });
  const [asked, setAsked] = useState<string>();
  const kept = useKeptFocus<HTMLUListElement>({ items: 'li' });
  const remove = useAction({
    mutationFn: (field: string) => api.call(documentRoutes.deleteIndex, { params, query: { field } }),
    async onSuccess(_, field) {
      toast({ tone: 'success', message: t('indexes.deleted', { field }) });
      await changed();
    },
    onError: showError,
    onSettled: () => setAsked(undefined),
  });
  if (!data) {
    return (
      <Panel>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageSpinner />}</Panel>
    );
  }
  const { indexes } = data;
  return (
    <Panel p={{ base: '4', md: '5' }}>
      <chakra.p color="fg.muted" mb="4">
        {t('indexes.lead', { most: documentLimits.maxIndexes })}
      </chakra.p>
      {writable && indexes.length < documentLimits.maxIndexes && (
        <NewIndex
          name={name}
          fields={fields.filter(({ path }) => !indexes.some(({ field }) => field === path))}
        />
      )}
      {indexes.length === 0 ? (
        <EmptyState title={t('indexes.emptyTitle')}>{t('indexes.emptyText')}</EmptyState>
      ) : (
        <chakra.ul {...kept} mt="4" borderTopWidth="1px">
          {indexes.map(({ field }) => (
            <chakra.li
              key={field}
              display="flex"
              alignItems="center"
              gap="3"
              minH="11"
              borderBottomWidth="1px"
              borderColor="border.muted"
            >
              <chakra.code fontFamily="mono" flex="1" minW="0" overflowWrap="anywhere">
                {field}
              </chakra.code>
              {writable && (
                <IconButton
                  size="xs"
                  label={t('ui:actionOn', { action: t('ui:delete'), name: field })}
                  icon={<Trash2 />}
                  onClick={() => setAsked(field)}
                />
              )}
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        title={t('indexes.deleteTitle')}
        confirmLabel={t('ui:delete')}
        pending={remove.isPending}
        onConfirm={() => asked !== undefined && remove.mutate(asked)}
        onCancel={() => setAsked(undefined)}
      >
        {t('indexes.deleteText', { field: asked })}
      </ConfirmDialog>
    </Panel>
  );
}

function NewIndex({ fields, name }: IndexesProps) {
  const { t } = useTranslation('documents');
  const { db } = useDatabase();
  const api = useApi();
  const changed = useDocumentsChanged();
  const { toast } = useAnnouncer();
  const id = useId();
  const [field, setField] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const create = useAction({
    mutationFn: () =>
      api.call(documentRoutes.createIndex, { params: { db, name }, body: { field: field.trim() } }),
    async onSuccess() {
      toast({ tone: 'success', message: t('indexes.created', { field: field.trim() }) });
      setField('');
      await changed();
    },
    onError: (error) => setRefusal(error.fields[0]?.message ?? error.message),
  });
  return (
    <chakra.form
      onSubmit={(event) => {
        event.preventDefault();
        if (field.trim() === '') setRefusal(t('indexes.noField'));
        else create.mutate();
      }}
    >
      <chakra.label htmlFor={`${id}-field`} display="block" fontWeight="semibold" mb="1">
        {t('indexes.field')}
      </chakra.label>
      <Flex gap="2" maxW="30rem">
        <Input
          id={`${id}-field`}
          list={`${id}-fields`}
          fontFamily="mono"
          autoComplete="off"
          spellCheck={false}
          maxLength={documentLimits.fieldMaxLength}
          aria-invalid={refusal !== undefined}
          aria-describedby={refusal ? `${id}-error` : undefined}
          value={field}
          onChange={({ target }) => {
            setField(target.value);
            setRefusal(undefined);
          }}
        />
        <datalist id={`${id}-fields`}>
          {fields.map(({ path }) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        <Button type="submit" h="9" flexShrink="0" icon={<Plus />} pending={create.isPending}>
          {t('indexes.create')}
        </Button>
      </Flex>
      {refusal && (
        <chakra.p id={`${id}-error`} role="alert" mt="1.5" fontSize="xs" fontWeight="medium" color="fg.error">
          {refusal}
        </chakra.p>
      )}
    </chakra.form>
  );
}
