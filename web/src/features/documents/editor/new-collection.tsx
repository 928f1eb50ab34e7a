import { chakra, Input } from '@chakra-ui/react';
import { documentLimits, documentRoutes } from '@portal/contracts';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useDatabase } from './open-database.ts';
import { useDocumentsChanged } from './use-documents.ts';

interface NewCollectionProps {
  onClose: () => void;
  onCreated: (name: string) => void;
}

const nameOf = documentRoutes.createCollection.body;

export function NewCollection({ onClose, onCreated }: NewCollectionProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { db } = useDatabase();
  const api = useApi();
  const changed = useDocumentsChanged();
  const { toast } = useAnnouncer();
  const id = useId();
  const [name, setName] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const create = useAction({
    mutationFn: () => api.call(documentRoutes.createCollection, { params: { db }, body: { name } }),
    async onSuccess() {
      toast({ tone: 'success', message: t('collectionCreated', { name }) });
      await changed();
      onClose();
      onCreated(name);
    },
    onError: (error) => setRefusal(error.fields[0]?.message ?? error.message),
  });

  function submit(): void {
    if (nameOf?.safeParse({ name }).success) create.mutate();
    else setRefusal(t('badCollectionName'));
  }

  return (
    <Dialog
      open
      persistent={create.isPending}
      onClose={onClose}
      title={t('newCollection')}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" onClick={onClose}>
            {t('ui:cancel')}
          </Button>
          <Button pending={create.isPending} onClick={submit}>
            {t('ui:create')}
          </Button>
        </>
      }
    >
      <chakra.form
        color="fg"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <chakra.label htmlFor={id} display="block" fontWeight="semibold" mb="1">
          {t('collectionName')}
        </chakra.label>
        <chakra.p id={`${id}-help`} fontSize="xs" color="fg.muted" mb="1.5">
          {t('collectionNameHelp')}
        </chakra.p>
        <Input
          id={id}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          maxLength={documentLimits.collectionNameMaxLength}
          aria-invalid={refusal !== undefined}
          aria-describedby={`${id}-help${refusal ? ` ${id}-error` : ''}`}
          value={name}
          onChange={({ target }) => {
            setName(target.value);
            setRefusal(undefined);
          }}
        />
        {refusal && (
          <chakra.p
            id={`${id}-error`}
            role="alert"
            mt="1.5"
            fontSize="xs"
            fontWeight="medium"
            color="fg.error"
          >
            {refusal}
          </chakra.p>
        )}
      </chakra.form>
    </Dialog>
  );
}
