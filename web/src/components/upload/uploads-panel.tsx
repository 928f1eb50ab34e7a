import { chakra, Flex } from '@chakra-ui/react';
import { ChevronDown, ChevronUp, CircleCheck, X } from 'lucide-react';
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useReloadHold } from '../../lib/reload-hold.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { UploadPanel, type UploadProgress } from '../../ui/upload/upload-panel.tsx';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import type { UploadItem, UploadStore, UploadTask } from './upload-store.ts';
import { useUploadStore, useUploads } from './uploads.ts';

/** Where uploads are shown, and what is particular to it. */
export interface UploadsArea {
  /** The beginnings of its addresses: on other pages uploads stop. */
  readonly paths: readonly string[];
  /** The page of the record that an upload is of. */
  readonly useRecordLink: () => (task: Pick<UploadTask, 'fileId'>) => string;
  /** Those that were begun here and do not go on by themselves, but for those of `items`, which are under way. */
  readonly useLeft: (
    items: readonly UploadItem[],
  ) => readonly { readonly uploadId: string; readonly line: ReactNode }[];
  /** Another way on where what was to follow an upload has failed. */
  readonly OtherWay?: ComponentType<{ task: UploadTask }>;
  /** The way to what waits for another administrator. */
  readonly RequestLink?: ComponentType<{ id: number }>;
}

/** The uploads of this tab on every page, with those that a reload has interrupted. */
export function UploadsPanel({ area }: { area: UploadsArea }) {
  const uploads = useUploads();
  const store = useUploadStore();
  useEffect(() => void uploads.open(), [uploads]);
  return store ? <Panel store={store} area={area} /> : null;
}

const hasRoom = () => window.matchMedia('(min-width: 48rem)').matches;

const running: readonly UploadItem['stage'][] = ['queued', 'sending', 'following'];

function Panel({ area, store }: { area: UploadsArea; store: UploadStore }) {
  const { t } = useTranslation('files');
  const items = useSyncExternalStore(store.subscribe, store.items);
  const left = area.useLeft(items);
  const [isOpen, setIsOpen] = useState(hasRoom);
  const listId = useId();
  const place = useRef<HTMLElement>(null);
  const kept = useKeptFocus<HTMLDivElement>({ items: 'li button, li a', otherwise: 'button' });

  useReloadHold(store.isBusy());
  useLeaving(store, area);
  useAnnouncements(items);
  useRoomBelow(place, items.length + left.length > 0);

  // What needs somebody is shown, where it covers no half of the page.
  const stopped =
    items.filter(({ stage }) => stage === 'failed' || stage === 'unfollowed').length + left.length;
  useEffect(() => {
    if (stopped > 0 && hasRoom()) setIsOpen(true);
  }, [stopped]);

  const close = () => {
    for (const { task } of items) store.dismiss(task.uploadId);
    document.getElementById('main')?.focus({ preventScroll: true });
  };

  if (items.length + left.length === 0) return null;
  const active = items.filter(({ stage }) => running.includes(stage));
  const waiting = stopped + items.filter(({ stage }) => stage === 'paused').length;
  const title =
    active.length > 0
      ? t('uploads.running', { count: active.length })
      : waiting > 0
        ? t('uploads.waiting', { count: waiting })
        : t('uploads.ended');
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <chakra.section
      ref={place}
      aria-label={t('uploads.title')}
      position="fixed"
      zIndex="sticky"
      bottom={{ base: '0', md: '4' }}
      insetEnd={{ base: '0', md: '4' }}
      w={{ base: 'full', md: '25rem' }}
      maxH="min(32rem, 70dvh)"
      display="flex"
      flexDirection="column"
      bg="bg.panel"
      borderWidth={{ base: '1px 0 0', md: '1px' }}
      borderRadius={{ md: 'md' }}
      boxShadow="lg"
      overflow="hidden"
      _print={{ display: 'none' }}
    >
      <div {...kept} style={{ display: 'contents' }}>
        <Flex
          data-bar=""
          align="center"
          gap="2"
          ps="4"
          pe="2"
          py="2"
          bg="bg.subtle"
          borderBottomWidth={isOpen ? '1px' : '0'}
        >
          <chakra.h2 flex="1" minW="0" fontSize="sm" fontWeight="semibold">
            {title}
          </chakra.h2>
          {active.length > 0 && <OverallShare items={active} />}
          <IconButton
            size="xs"
            label={t(isOpen ? 'uploads.hide' : 'uploads.show')}
            aria-expanded={isOpen}
            aria-controls={listId}
            icon={<Chevron />}
            onClick={() => setIsOpen(!isOpen)}
          />
          {items.every(({ stage }) => stage === 'done') && left.length === 0 && (
            <IconButton size="xs" label={t('uploads.close')} icon={<X />} onClick={close} />
          )}
        </Flex>
        <chakra.div id={listId} hidden={!isOpen} overflowY="auto">
          {isOpen && (
            <>
              <chakra.ul
                css={{
                  '& > li': { px: '4', py: '3', borderBottomWidth: '1px', borderColor: 'border.muted' },
                }}
              >
                {items.map((item) => (
                  <li key={item.task.uploadId}>
                    <Upload item={item} store={store} area={area} />
                  </li>
                ))}
                {left.map(({ line, uploadId }) => (
                  <li key={uploadId}>{line}</li>
                ))}
              </chakra.ul>
              {store.isBusy() && (
                <chakra.p px="4" py="2" fontSize="xs" color="fg.muted">
                  {t('uploads.stayOpen')}
                </chakra.p>
              )}
            </>
          )}
        </chakra.div>
      </div>
    </chakra.section>
  );
}

/** Asks before the portal is left; its own pages are no reason. */
function useLeaving(store: UploadStore, { paths }: UploadsArea): void {
  const { t } = useTranslation(['files', 'ui']);
  useUnsavedWork(
    (to) => store.isBusy() && !paths.some((path) => to?.startsWith(path)),
    (to) => ({
      title: t('upload.leaveTitle'),
      text: t('upload.leaveText'),
      // Signing out leads to no page.
      leaveLabel: t(to === undefined ? 'uploads.leave' : 'uploads.leavePage'),
      stayLabel: t('ui:continueUpload'),
      onLeave: store.stop,
    }),
  );
}

/** Says what has become of an upload, once. */
function useAnnouncements(items: readonly UploadItem[]): void {
  const { t } = useTranslation('files');
  const { announce } = useAnnouncer();
  const before = useRef(items);
  useEffect(() => {
    const known = new Map(before.current.map(({ stage, task }) => [task.uploadId, stage]));
    before.current = items;
    for (const { approvalId, stage, task } of items) {
      if (known.get(task.uploadId) === stage) continue;
      const { name } = task;
      if (stage === 'done')
        announce(t(approvalId === undefined ? 'uploads.announceDone' : 'uploads.announceAsked', { name }));
      if (stage === 'failed') announce(t('uploads.announceFailed', { name }));
      if (stage === 'unfollowed') announce(t('uploads.announceUnfollowed', { name }));
    }
  }, [items]);
}

/** The end of the page, messages, the buttons of a form and what gets the focus stay clear of the panel: the theme knows its height. */
function useRoomBelow(place: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const panel = place.current;
    if (!panel) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty('--docked', `${panel.offsetHeight}px`);
      style.setProperty(
        '--docked-bar',
        `${panel.querySelector<HTMLElement>('[data-bar]')?.offsetHeight ?? 0}px`,
      );
    });
    observer.observe(panel);
    return () => {
      observer.disconnect();
      style.removeProperty('--docked');
      style.removeProperty('--docked-bar');
    };
  }, [place, isShown]);
}

/** How far those are together that are under way. */
function OverallShare({ items }: { items: readonly UploadItem[] }) {
  const format = useFormat();
  const [, setTick] = useState(0);
  useEffect(() => {
    const ends = items.map(({ uploader }) => uploader?.subscribe(() => setTick((tick) => tick + 1)));
    return () => {
      for (const end of ends) end?.();
    };
  }, [items]);
  let sent = 0;
  let total = 0;
  for (const item of items) {
    const progress = progressOf(item);
    sent += progress.sent;
    total += progress.total;
  }
  return (
    <chakra.span fontSize="sm" fontVariantNumeric="tabular-nums" color="fg.muted">
      {format.percent(total === 0 ? 1 : Math.floor((sent / total) * 100) / 100)}
    </chakra.span>
  );
}

function progressOf({ stage, storedBytes, task, uploader }: UploadItem): UploadProgress {
  const total = task.bytes?.file.size ?? 0;
  const kept = uploader?.snapshot();
  const progress = kept ?? { status: 'waiting' as const, sent: storedBytes, total, speed: undefined };
  if (stage === 'following') return { ...progress, sent: total, status: 'finishing' };
  if (stage === 'sending') return progress;
  const statuses = { queued: 'waiting', paused: 'paused', failed: 'failed' } as const;
  return stage in statuses ? { ...progress, status: statuses[stage as keyof typeof statuses] } : progress;
}

const never = () => () => undefined;

interface UploadProps {
  item: UploadItem;
  store: UploadStore;
  area: UploadsArea;
}

function Upload({ area, item, store }: UploadProps) {
  return item.stage === 'done' || item.stage === 'unfollowed' ? (
    <Ended item={item} store={store} area={area} />
  ) : (
    <Running item={item} store={store} />
  );
}

function Running({ item, store }: Omit<UploadProps, 'area'>) {
  const { t } = useTranslation(['files', 'ui']);
  const { toast } = useAnnouncer();
  const { failure, stage, task, uploader } = item;
  const { name, uploadId } = task;
  const snapshot = useSyncExternalStore(uploader?.subscribe ?? never, () => uploader?.snapshot());
  const progress = progressOf(item);
  const isFinishing = progress.status === 'finishing';
  const [cancelling, setCancelling] = useState(false);
  useEffect(() => {
    if (isFinishing) setCancelling(false);
  }, [isFinishing]);
  const cancel = useAction({
    mutationFn: () => store.cancel(uploadId),
    onSuccess(isCancelled) {
      setCancelling(false);
      if (!isCancelled) toast({ tone: 'warning', message: t('uploads.tooLate', { name }) });
    },
  });
  const message = () => {
    if (stage === 'queued') return t('uploads.queued');
    if (stage === 'following') return t('uploads.following');
    if (stage === 'failed') return failure ? reasonOf(failure) : t('upload.timedOut');
    return stage === 'sending' && snapshot?.status === 'waiting' ? t('upload.waiting') : undefined;
  };
  return (
    <>
      <UploadPanel
        named
        fileName={name}
        progress={progress}
        message={message()}
        onPause={() => store.pause(uploadId)}
        onResume={() => store.resume(uploadId)}
        onCancel={() => setCancelling(true)}
      />
      <ConfirmDialog
        open={cancelling && !isFinishing}
        title={t('upload.cancelTitle')}
        confirmLabel={t('upload.cancel')}
        cancelLabel={t('ui:continueUpload')}
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onCancel={() => setCancelling(false)}
      >
        {t('upload.cancelText', { name })}
      </ConfirmDialog>
    </>
  );
}

/** What the server says of a field says more than what it says of the whole. */
const reasonOf = ({ fields, message }: NonNullable<UploadItem['failure']>): string =>
  fields[0]?.message ?? message;

function Ended({ area, item, store }: UploadProps) {
  const { t } = useTranslation(['files', 'ui']);
  const { OtherWay, RequestLink, useRecordLink } = area;
  const linkOf = useRecordLink();
  const { approvalId, failure, stage, task } = item;
  const { name, uploadId } = task;
  const isDone = stage === 'done';
  const whatIsDone =
    approvalId === undefined ? (task.follow ? 'uploads.delivered' : 'uploads.done') : 'uploads.asked';
  return (
    <Flex gap="2" align="flex-start">
      {isDone && (
        <chakra.span color="fg.success" flexShrink="0" pt="0.5">
          <CircleCheck size={18} aria-hidden />
        </chakra.span>
      )}
      <chakra.div flex="1" minW="0" overflowWrap="anywhere">
        <Link to={linkOf(task)} fontWeight="medium">
          {name}
        </Link>
        <chakra.p mt="0.5" fontSize="xs" color={isDone ? 'fg.muted' : 'fg.error'}>
          {t(isDone ? whatIsDone : 'uploads.unfollowed')}
          {failure && ` ${reasonOf(failure)}`}
        </chakra.p>
        {approvalId !== undefined && RequestLink && <RequestLink id={approvalId} />}
        {!isDone && (
          <Flex mt="2" gap="2" wrap="wrap">
            <Button size="xs" onClick={() => store.resume(uploadId)}>
              {t('ui:retry')}
            </Button>
            {OtherWay && <OtherWay task={task} />}
          </Flex>
        )}
      </chakra.div>
      <IconButton
        size="xs"
        label={t('ui:actionOn', { action: t('uploads.dismiss'), name })}
        icon={<X />}
        onClick={() => store.dismiss(uploadId)}
      />
    </Flex>
  );
}
