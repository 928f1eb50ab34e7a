import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { queryOptions } from '@portal/api-client/query';
import { fromWire, noticeRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useApi, useApiList, useApiQuery } from '../../lib/api.ts';
import { isAwaited } from '../../lib/csv-export.ts';
import { useFormat } from '../../lib/format.ts';
import type { Session } from '../../lib/session/session-store.ts';
import { useSessionStore } from '../../lib/session/use-session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { Link } from '../../ui/link.tsx';
import { onDark } from '../../ui/on-dark.ts';
import { usePopup } from '../../ui/use-popup.ts';
import { followNotices } from './follow-notices.ts';
import { useNoticeText } from './notice-text.ts';

type Notice = noticeRoutes.Notice;

const callsOf = {
  admin: { list: noticeRoutes.listAdminNotices, read: noticeRoutes.readAdminNotices },
  partner: { list: noticeRoutes.listPartnerNotices, read: noticeRoutes.readPartnerNotices },
} as const;
const streamOf = {
  admin: noticeRoutes.followAdminNotices.path,
  partner: noticeRoutes.followPartnerNotices.path,
} as const;

/** How often it is asked where nothing is followed, in milliseconds. */
const askEveryMs = 60_000;

/** Tabs of one person share a name. */
function nameOf(session: Session): string {
  return session.kind === 'admin'
    ? `portal.notices.admin.${session.email}`
    : `portal.notices.partner.${session.partner.id}.${session.user.id}`;
}

/** Has `onNotice` hear of each notice, and asks the lists again; each minute where there is no stream. */
function useFollowing(session: Session, onNotice: (notice: Notice) => void): void {
  const api = useApi();
  const store = useSessionStore();
  const queries = useQueryClient();
  const { kind } = session;
  const name = nameOf(session);
  const latest = useRef(onNotice);
  latest.current = onNotice;

  useEffect(() => {
    const gone = new AbortController();
    let aliveAt = Date.now();
    const ask = () => void queries.invalidateQueries({ queryKey: [callsOf[kind].list.id] });
    followNotices({
      name,
      url: streamOf[kind],
      token: () => store.token(),
      async since() {
        const newest = queryOptions(api, callsOf[kind].list, { query: {} });
        const known = await queries.ensureQueryData(newest).catch(() => undefined);
        return known && String(Math.max(0, ...known.notices.map(({ id }) => id)));
      },
      onOpen: ask,
      onAlive: () => {
        aliveAt = Date.now();
      },
      onNotice(data) {
        ask();
        const parsed = noticeRoutes.notice.safeParse(fromWire(noticeRoutes.notice)(JSON.parse(data)));
        if (!parsed.success) return;
        latest.current(parsed.data);
        // Beside the way to them stands how many wait.
        if (parsed.data.kind.startsWith('approval_'))
          void queries.invalidateQueries({ queryKey: ['listApprovals'] });
      },
      signal: gone.signal,
    });
    const timer = setInterval(() => {
      if (Date.now() - aliveAt >= askEveryMs) ask();
    }, askEveryMs);
    return () => {
      gone.abort();
      clearInterval(timer);
    };
  }, [api, kind, name, queries, store]);
}

/** The screen that is open downloads the export by itself. */
const isAwaitedHere = ({ data, kind }: Notice) => kind === 'export_ready' && isAwaited(data.batchId);

/** The bell of the header: how many notices are unread, and the list of them. */
export function NoticeBell({ session }: { session: Session }) {
  const { t } = useTranslation('ownNotices');
  const { kind } = session;
  const { button, close, isOpen, panelId, whole } = usePopup();
  const { toast } = useAnnouncer();
  const textOf = useNoticeText();
  const navigate = useNavigate();
  const markRead = useMarkRead(kind);
  const newest = useApiQuery(callsOf[kind].list, { query: {} });
  const unread = newest.data?.unreadCount ?? 0;

  useFollowing(session, (notice) => {
    if (isAwaitedHere(notice)) return markRead({ ids: [notice.id] });
    if (document.visibilityState !== 'visible') return;
    const shut = toast({
      tone: toneOf(notice),
      message: textOf(notice),
      action: {
        label: t('open'),
        onPress: () => {
          shut();
          markRead({ ids: [notice.id] });
          void navigate(notice.link);
        },
      },
    });
  });

  return (
    <chakra.div {...whole} position="relative">
      <IconButton
        {...button}
        {...onDark}
        size="xs"
        position="relative"
        label={unread > 0 ? t('bell', { count: unread }) : t('bellNone')}
        icon={<Bell />}
      >
        {unread > 0 && (
          <chakra.span
            aria-hidden
            data-count={unread > 99 ? '99+' : unread}
            _after={{ content: 'attr(data-count)' }}
            position="absolute"
            top="-0.5"
            insetEnd="-0.5"
            minW="4"
            px="1"
            borderRadius="full"
            bg="#e8eef5"
            color="#1a2b3c"
            fontSize="2xs"
            lineHeight="1rem"
            fontWeight="bold"
            fontVariantNumeric="tabular-nums"
          />
        )}
      </IconButton>
      {isOpen && (
        <chakra.div
          id={panelId}
          role="group"
          aria-label={t('title')}
          position={{ base: 'fixed', sm: 'absolute' }}
          zIndex="toast"
          top={{ base: '12', sm: 'auto' }}
          insetEnd={{ base: '2', sm: '0' }}
          mt="0"
          w="min(24rem, calc(100vw - 1rem))"
          maxH="min(32rem, calc(100dvh - 4rem))"
          overflowY="auto"
          bg="bg.panel"
          color="fg"
          borderWidth="1px"
          borderRadius="md"
          boxShadow="lg"
        >
          <NoticeList kind={kind} unread={unread} markRead={markRead} onFollow={close} />
        </chakra.div>
      )}
    </chakra.div>
  );
}

function toneOf({ data, kind }: Notice): 'success' | 'warning' {
  const isGood = kind === 'export_ready' || (kind === 'import_ended' && data.result === 'applied');
  return isGood ? 'success' : 'warning';
}

type Read = { ids: number[] } | { all: true };

/** What is marked is shown as read once the server knows; what cannot be marked stays unread. */
function useMarkRead(kind: Session['kind']): (read: Read) => void {
  const api = useApi();
  const queries = useQueryClient();
  return (body) => {
    api
      .call(callsOf[kind].read, { body })
      .catch(() => undefined)
      .finally(() => void queries.invalidateQueries({ queryKey: [callsOf[kind].list.id] }));
  };
}

/** It keeps the focus when there is nothing more to do: a disabled one would lose it. */
function ListButton({ children, off, onPress }: { children: string; off: boolean; onPress: () => void }) {
  return (
    <Button size="xs" variant="ghost" aria-disabled={off} onClick={off ? undefined : onPress}>
      {children}
    </Button>
  );
}

interface NoticeListProps {
  kind: Session['kind'];
  unread: number;
  markRead: (read: Read) => void;
  onFollow: () => void;
}

function NoticeList({ kind, markRead, onFollow, unread }: NoticeListProps) {
  const { t } = useTranslation(['ownNotices', 'ui']);
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useApiList(callsOf[kind].list, { query: page > 1 ? { page } : {} });
  const format = useFormat();
  const textOf = useNoticeText();
  return (
    <>
      <Flex align="center" justify="space-between" gap="2" ps="4" pe="2" py="2" borderBottomWidth="1px">
        <chakra.h2 fontWeight="semibold">{t('title')}</chakra.h2>
        <ListButton off={unread === 0} onPress={() => markRead({ all: true })}>
          {t('readAll')}
        </ListButton>
      </Flex>
      {!data && !isError && (
        <chakra.p px="4" py="6" color="fg.muted" role="status">
          {t('ui:loading')}
        </chakra.p>
      )}
      {!data && isError && (
        <Box px="4" py="6" role="alert">
          <chakra.p mb="3">{t('failed')}</chakra.p>
          <Button size="xs" variant="outline" onClick={() => void refetch()}>
            {t('ui:retry')}
          </Button>
        </Box>
      )}
      {data?.notices.length === 0 && (
        <Box px="4" py="6">
          <chakra.p fontWeight="medium">{t('emptyTitle')}</chakra.p>
          <chakra.p mt="1" fontSize="sm" color="fg.muted">
            {t('emptyText')}
          </chakra.p>
        </Box>
      )}
      {data && data.notices.length > 0 && (
        <chakra.ul listStyleType="none">
          {data.notices.map((notice) => (
            <chakra.li key={notice.id} borderBottomWidth="1px" px="4" py="3" overflowWrap="anywhere">
              {!notice.read && (
                <chakra.span
                  display="inline-block"
                  w="2"
                  h="2"
                  me="2"
                  borderRadius="full"
                  bg="accent.solid"
                  verticalAlign="middle"
                >
                  <VisuallyHidden>{t('unread')}</VisuallyHidden>
                </chakra.span>
              )}
              <Link
                to={notice.link}
                fontWeight={notice.read ? 'normal' : 'semibold'}
                onClick={() => {
                  if (!notice.read) markRead({ ids: [notice.id] });
                  onFollow();
                }}
              >
                {textOf(notice)}
              </Link>
              <chakra.p mt="0.5" fontSize="xs" color="fg.muted">
                <time dateTime={notice.createdAt}>{format.dateTime(notice.createdAt)}</time>
              </chakra.p>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      {data && data.totalPage > 1 && (
        <Flex justify="space-between" gap="2" px="2" py="2">
          <ListButton off={page <= 1} onPress={() => setPage(page - 1)}>
            {t('newer')}
          </ListButton>
          <ListButton off={page >= data.totalPage} onPress={() => setPage(page + 1)}>
            {t('older')}
          </ListButton>
        </Flex>
      )}
    </>
  );
}
