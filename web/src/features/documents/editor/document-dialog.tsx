import { chakra, Flex } from '@chakra-ui/react';
import { ApiError } from '@portal/api-client';
import { documentRoutes } from '@portal/contracts';
import { Copy, Trash2 } from 'lucide-react';
import { lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeEditor } from '../../../ui/code/code-editor.tsx';
import { CopyValue } from '../../../ui/copy-button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { LeaveDialog } from '../../../ui/feedback/leave-question.tsx';
import { ErrorState, PageSpinner } from '../../../ui/feedback/states.tsx';
import { Conflict } from './conflict.tsx';
import { isObject, isSame, type JsonObject, prettyJson } from './json.ts';
import { useDatabase } from './open-database.ts';
import { Refusal } from './refusal.tsx';
import { type StoredDocument, writtenOf } from './stored-document.ts';
import { useDocumentCalls, useDocumentsChanged } from './use-documents.ts';
import { lineAt, useProblemsOf } from './use-problems.ts';

const Difference = lazy(async () => ({
  default: (await import('../../../ui/code/difference.tsx')).Difference,
}));

const width = '60rem';
const height = 'min(26rem, 50dvh)';

interface OpenDocumentProps {
  name: string;
  id: string;
  onClose: () => void;
  onClone: (document: StoredDocument) => void;
  onDelete: (id: string) => void;
}

/** A document that is there, to read and to change. */
export function OpenDocument({ id, name, onClose, ...on }: OpenDocumentProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { db } = useDatabase();
  // As it is now, not as it was asked for earlier. It stays, whatever becomes of the document: that is met when this one is saved.
  const [first, setFirst] = useState<StoredDocument>();
  const { data, error, isFetching, refetch } = useApiQuery(
    documentRoutes.getDocument,
    { params: { db, name, id } },
    { enabled: !first, staleTime: 0 },
  );
  if (!first && data && !error && !isFetching) setFirst(data as StoredDocument);
  if (first) return <EditDocument name={name} first={first} onClose={onClose} {...on} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={id}
      width={width}
      actions={
        <Button variant="outline" colorPalette="gray" onClick={onClose}>
          {t('ui:close')}
        </Button>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageSpinner />}
    </Dialog>
  );
}

/** Somebody has changed it meanwhile, or deleted it. */
const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'E40034';

interface EditDocumentProps extends Omit<OpenDocumentProps, 'id'> {
  first: StoredDocument;
}

function EditDocument({ first, name, onClone, onClose, onDelete }: EditDocumentProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { dateTime, number } = useFormat();
  const { writable } = useDatabase();
  const { toast } = useAnnouncer();
  const calls = useDocumentCalls(name);
  const changed = useDocumentsChanged();
  /** The version that the text was made of. */
  const [base, setBase] = useState(first);
  const [text, setText] = useState(() => prettyJson(writtenOf(first)));
  const [step, setStep] = useState<'edit' | 'review'>('edit');
  const isDone = useRef(false);
  /** What somebody else has made of it meanwhile; undefined where it is gone. */
  const [conflict, setConflict] = useState<{ theirs: StoredDocument | undefined }>();
  const { _id: id } = base;
  const before = prettyJson(writtenOf(base));
  const written = read(text);
  const isChanged = written === undefined ? text !== before : !isSame(written, writtenOf(base));
  useUnsavedWork(() => isChanged && !isDone.current);

  const save = useAction({
    async mutationFn(version: number | undefined) {
      if (!written) throw new Error('What is not JSON cannot be saved');
      try {
        await calls.replace(id, written, version);
        return undefined;
      } catch (error) {
        if (!isConflict(error)) throw error;
        // Unless it is known what somebody else has made of it, nothing can be decided: that fails as the saving does.
        return { theirs: await calls.find(id) };
      }
    },
    async onSuccess(met) {
      if (met) setConflict(met);
      else {
        toast({ tone: 'success', message: t('saved', { id }) });
        isDone.current = true;
        onClose();
      }
      await changed();
    },
  });

  if (conflict) {
    return (
      <Conflict
        name={id}
        base={writtenOf(base)}
        mine={written ?? {}}
        theirs={conflict.theirs}
        refusal={save.error}
        pending={save.isPending}
        onTakeTheirs={() => {
          isDone.current = true;
          onClose();
        }}
        onTakeMine={() => save.mutate(conflict.theirs?._version)}
        onTakeBoth={(both) => {
          if (conflict.theirs) setBase(conflict.theirs);
          setText(prettyJson(both));
          save.reset();
          setStep('edit');
          setConflict(undefined);
        }}
      />
    );
  }
  const actions = writable ? (
    step === 'review' ? (
      <>
        <Button variant="outline" colorPalette="gray" onClick={() => setStep('edit')}>
          {t('backToEditor')}
        </Button>
        <Button pending={save.isPending} onClick={() => save.mutate(base._version)}>
          {t('ui:save')}
        </Button>
      </>
    ) : undefined
  ) : undefined;
  return (
    <EditorDialog
      title={t(writable ? 'editTitle' : 'documentTitle')}
      text={text}
      onText={setText}
      isChanged={isChanged}
      isDone={isDone}
      canWrite={writable}
      refusal={save.error}
      onClose={onClose}
      submitLabel={t('toReview')}
      onSubmit={() => {
        save.reset();
        setStep('review');
      }}
      actions={actions}
      head={
        <chakra.div mb="3">
          <CopyValue text={id} label={t('copyId')} />
          <chakra.p fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('versionFacts', {
              version: number(base._version),
              created: dateTime(base._created_at),
              updated: dateTime(base._updated_at),
            })}
          </chakra.p>
        </chakra.div>
      }
      others={
        writable &&
        !isChanged && (
          <>
            <Button
              variant="ghost"
              colorPalette="danger"
              icon={<Trash2 />}
              onClick={() => {
                onClose();
                onDelete(id);
              }}
            >
              {t('ui:delete')}
            </Button>
            <Button variant="ghost" colorPalette="gray" icon={<Copy />} onClick={() => onClone(base)}>
              {t('clone')}
            </Button>
          </>
        )
      }
      review={
        step === 'review' && (
          <>
            <chakra.p mb="2">{t('reviewLead')}</chakra.p>
            <Suspense fallback={<PageSpinner />}>
              <Difference
                label={t('difference')}
                before={before}
                after={prettyJson(written ?? {})}
                unchangedLines={t('unchangedLines')}
              />
            </Suspense>
          </>
        )
      }
    />
  );
}

interface NewDocumentProps {
  name: string;
  /** The one that it begins as, without its id. */
  like: StoredDocument | undefined;
  onClose: () => void;
}

/** A document that is not there yet. */
export function NewDocument({ like, name, onClose }: NewDocumentProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const { toast } = useAnnouncer();
  const calls = useDocumentCalls(name);
  const changed = useDocumentsChanged();
  const [first] = useState(() => (like ? withoutId(like) : '{\n  \n}'));
  const [text, setText] = useState(first);
  const isChanged = text !== first;
  const isDone = useRef(false);
  useUnsavedWork(() => isChanged && !isDone.current);
  const create = useAction({
    mutationFn: () => calls.create(read(text) ?? {}),
    async onSuccess({ _id }) {
      toast({ tone: 'success', message: t('created', { id: _id }) });
      isDone.current = true;
      onClose();
      await changed();
    },
  });
  return (
    <EditorDialog
      title={t(like ? 'cloneTitle' : 'newTitle')}
      text={text}
      onText={setText}
      isChanged={isChanged}
      isDone={isDone}
      canSubmit
      canWrite
      refusal={create.error}
      onClose={onClose}
      submitLabel={t('ui:create')}
      pending={create.isPending}
      onSubmit={() => create.mutate()}
      head={<chakra.p mb="3">{t('newLead')}</chakra.p>}
    />
  );
}

const withoutId = (document: StoredDocument): string => {
  const { _id, ...rest } = writtenOf(document);
  return prettyJson(rest);
};

/** What is written, if it is a document. */
function read(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface EditorDialogProps {
  title: string;
  text: string;
  onText: (text: string) => void;
  isChanged: boolean;
  /** Saved, or given up: nothing is lost any more. */
  isDone: RefObject<boolean>;
  /** Also without a change. */
  canSubmit?: boolean;
  canWrite: boolean;
  /** Why the service did not take it. */
  refusal: ApiError | null;
  onClose: () => void;
  submitLabel: string;
  pending?: boolean;
  onSubmit: () => void;
  /** Instead of the usual ones. */
  actions?: ReactNode;
  head: ReactNode;
  /** What else can be done with it. */
  others?: ReactNode;
  /** Instead of the editor. */
  review?: ReactNode;
}

function EditorDialog({
  actions,
  canSubmit = false,
  canWrite,
  head,
  isChanged,
  isDone,
  onClose,
  onSubmit,
  onText,
  others,
  pending = false,
  refusal,
  review,
  submitLabel,
  text,
  title,
}: EditorDialogProps) {
  const { t } = useTranslation(['documents', 'ui']);
  const problemsOf = useProblemsOf();
  const [isLeaving, setIsLeaving] = useState(false);
  /** Those at the last try to go on. */
  const [told, setTold] = useState<string>();

  function close(): void {
    if (isChanged) setIsLeaving(true);
    else onClose();
  }

  function submit(): void {
    const [first] = problemsOf(text);
    setTold(first && t('problemAt', { line: lineAt(text, first.from), message: first.message }));
    if (!first && (isChanged || canSubmit)) onSubmit();
  }

  return (
    <>
      <Dialog
        open
        onClose={close}
        title={title}
        width={width}
        actions={
          <>
            <Flex me="auto" gap="1">
              {review ? undefined : others}
            </Flex>
            {actions ?? (
              <>
                <Button variant="outline" colorPalette="gray" onClick={close}>
                  {t(canWrite ? 'ui:cancel' : 'ui:close')}
                </Button>
                {canWrite && (
                  <Button pending={pending} disabled={!isChanged && !canSubmit} onClick={submit}>
                    {submitLabel}
                  </Button>
                )}
              </>
            )}
          </>
        }
      >
        <chakra.div color="fg">
          {head}
          <Refusal error={refusal} />
          {review || (
            <>
              <CodeEditor
                label={title}
                value={text}
                onChange={(next) => {
                  setTold(undefined);
                  onText(next);
                }}
                problemsOf={problemsOf}
                readOnly={!canWrite}
                invalid={told !== undefined}
                autoFocus
                onSubmit={submit}
                height={height}
              />
              <chakra.p
                role={told ? 'alert' : undefined}
                mt="1.5"
                fontSize="xs"
                fontWeight={told ? 'medium' : undefined}
                color={told ? 'fg.error' : 'fg.muted'}
              >
                {told ?? (canWrite ? t('editorHelp') : '')}
              </chakra.p>
            </>
          )}
        </chakra.div>
      </Dialog>
      <LeaveDialog
        open={isLeaving}
        leaveLabel={t('discard')}
        onLeave={() => {
          isDone.current = true;
          onClose();
        }}
        onStay={() => setIsLeaving(false)}
      />
    </>
  );
}
