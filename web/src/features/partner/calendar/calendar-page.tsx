import { chakra, Flex } from '@chakra-ui/react';
import { calendarRoutes } from '@portal/contracts';
import { CalendarPlus, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApiList } from '../../../lib/api.ts';
import { viewerZone } from '../../../lib/format.ts';
import { useLanguage } from '../../../lib/i18n.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button, ButtonLink, IconButton } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DetailSkeleton, EmptyState, ErrorState } from '../../../ui/feedback/states.tsx';
import { FilterChips } from '../../../ui/list/filter-chips.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { dayOf, daysShown, periodOf, turned, views } from './calendar-days.ts';
import { byDay, type Entry, isMovable, kinds } from './entries.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { ListView } from './list-view.tsx';
import { MonthView } from './month-view.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { MovingBar } from './moving-bar.tsx';
import { SubscribeDialog } from './subscribe-dialog.tsx';
import { useCalendarFormat } from './use-calendar-format.ts';
import { type CalendarState, useCalendarState } from './use-calendar-state.ts';
import { useMoving } from './use-moving.ts';
import { WeekView } from './week-view.tsx';

/** How often the calendar looks for what others have planned meanwhile, in milliseconds. */
const every = 30_000;

/** What is planned and what has come of it, by month, by week and as a list. */
export function CalendarPage() {
  const { t } = useTranslation('calendar');
  const language = useLanguage();
  const { partner } = usePartnerSession();
  const state = useCalendarState();
  const { day, kind, setDay, setKind, view } = state;
  const days = daysShown(view, day, language);
  const moving = useMoving(view, setDay);
  const [opened, setOpened] = useState<Entry>();
  const [isSubscribing, setIsSubscribing] = useState(false);
  const query = useApiList(
    calendarRoutes.getCalendar,
    { params: { pid: partner.id }, query: { ...periodOf(days), ...(kind !== '' && { kind }) } },
    () => every,
  );
  const { data, error } = query;
  const entries = data?.entries ?? [];
  const shown = {
    day,
    days,
    entries: byDay(entries),
    moving,
    onOpen: setOpened,
    onMove: (entry: Entry) => isMovable(entry) && moving.begin(entry),
  };
  const isEmpty = data !== undefined && entries.length === 0;
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        action={
          <Button variant="outline" icon={<CalendarPlus />} onClick={() => setIsSubscribing(true)}>
            {t('subscribe.button')}
          </Button>
        }
      />
      <Toolbar state={state} />
      <Flex mb="3">
        <FilterChips
          label={t('kind')}
          options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
      </Flex>
      <MovingBar moving={moving} view={view} />
      {data?.more && (
        <chakra.div mb="3">
          <Notice tone="warning">{t('isMore')}</Notice>
        </chakra.div>
      )}
      <Panel aria-busy={query.isPlaceholderData || undefined} mb="2">
        {error && !data && <ErrorState error={error} onRetry={() => void query.refetch()} />}
        {!error && !data && (
          <chakra.div p="5">
            <DetailSkeleton rows={8} />
          </chakra.div>
        )}
        {data && view === 'month' && <MonthView {...shown} onDay={setDay} />}
        {data && view === 'week' && <WeekView {...shown} />}
        {data && view === 'list' && !isEmpty && <ListView {...shown} />}
        {view === 'list' && isEmpty && (
          <EmptyState
            title={t('empty')}
            action={
              kind === '' ? (
                <ButtonLink variant="outline" to="/partner/files">
                  {t('toFiles')}
                </ButtonLink>
              ) : (
                <Button variant="outline" onClick={() => setKind('')}>
                  {t('showAll')}
                </Button>
              )
            }
          >
            {kind === '' ? t('emptyText') : t('emptyFiltered')}
          </EmptyState>
        )}
      </Panel>
      <chakra.p fontSize="xs" color="fg.muted">
        {t('zone', { zone: viewerZone() })}
      </chakra.p>
      {opened && (
        <EntryDialog
          entry={opened}
          onClose={() => setOpened(undefined)}
          onMove={(entry) => {
            setOpened(undefined);
            moving.confirm(entry, new Date(entry.at));
          }}
        />
      )}
      {moving.asked && (
        <MoveDialog
          key={moving.asked.at.getTime()}
          entry={moving.asked.entry}
          at={moving.asked.at}
          onClose={moving.end}
        />
      )}
      {isSubscribing && <SubscribeDialog onClose={() => setIsSubscribing(false)} />}
    </>
  );
}

function Toolbar({ state }: { state: CalendarState }) {
  const { t } = useTranslation('calendar');
  const { day, setDay, setView, view } = state;
  const { periodName } = useCalendarFormat();
  const name = periodName(view, day);
  return (
    <Flex mb="3" gap="3" wrap="wrap" align="flex-end" justify="space-between">
      <Flex align="center" gap="1">
        <IconButton
          label={t('previous')}
          icon={<ChevronLeft />}
          variant="outline"
          onClick={() => setDay(turned(view, day, -1))}
        />
        <Button variant="outline" colorPalette="gray" onClick={() => setDay(dayOf(new Date()))}>
          {t('today')}
        </Button>
        <IconButton
          label={t('next')}
          icon={<ChevronRight />}
          variant="outline"
          onClick={() => setDay(turned(view, day, 1))}
        />
        <chakra.h2
          ms="2"
          fontSize="md"
          fontWeight="semibold"
          aria-live="polite"
          fontVariantNumeric="tabular-nums"
        >
          {name}
        </chakra.h2>
      </Flex>
      <Choice
        legend={t('view')}
        options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
        value={view}
        onChoose={setView}
      />
    </Flex>
  );
}
