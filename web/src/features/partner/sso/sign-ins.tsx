import { Badge, chakra } from '@chakra-ui/react';
import { type RouteReply, ssoSignInRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../components/loaded.tsx';
import { useTenant } from '../../../components/tenant.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/list/data-table.tsx';
import { SecondLine } from '../../../ui/list/second-line.tsx';
import { LongWord } from '../../../ui/long-word.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { useReasonWords } from './reason-words.ts';

type SignIn = RouteReply<typeof ssoSignInRoutes.listSsoSignIns>['signIns'][number];

/** How many are shown before somebody asks for all. */
const few = 5;

/** Who signed in last, and who was refused and why. */
export function SignIns() {
  const { t } = useTranslation('sso');
  const { dateTime, number } = useFormat();
  const { id: pid, isOwn } = useTenant();
  const wordsOf = useReasonWords();
  const [isWhole, setIsWhole] = useState(false);
  const signIns = useApiQuery(
    isOwn ? ssoSignInRoutes.listSsoSignIns : ssoSignInRoutes.listPartnerSsoSignIns,
    {
      params: { pid },
    },
  );
  const columns: readonly Column<SignIn>[] = [
    {
      id: 'at',
      header: t('signIns.at'),
      cell: ({ at }) => dateTime(at),
      numeric: true,
      width: '12rem',
    },
    {
      id: 'identifier',
      header: t('signIns.identifier'),
      cell: ({ identifier }) => <LongWord>{identifier ?? t('signIns.unknown')}</LongWord>,
      isRowHeader: true,
    },
    {
      id: 'outcome',
      header: t('signIns.outcome'),
      cell: ({ reason }) =>
        reason === null ? (
          <Badge colorPalette="success">{t('signIns.accepted')}</Badge>
        ) : (
          <>
            <Badge colorPalette="danger">{t('signIns.refused')}</Badge>
            <SecondLine>{wordsOf(reason).what}</SecondLine>
          </>
        ),
      onCard: true,
    },
  ];
  return (
    <Section title={t('signIns.title')} lead={t('signIns.lead')}>
      <Loaded query={signIns}>
        {({ signIns: all }) =>
          all.length === 0 ? (
            <Panel px="5" py="4">
              <chakra.p color="fg.muted">{t('signIns.empty')}</chakra.p>
            </Panel>
          ) : (
            <>
              <Panel>
                <DataTable
                  caption={t('signIns.caption')}
                  columns={columns}
                  rows={isWhole ? all : all.slice(0, few)}
                  rowId={(row) => all.indexOf(row)}
                  rowName={({ identifier }) => identifier ?? t('signIns.unknown')}
                />
              </Panel>
              {!isWhole && all.length > few && (
                <Button mt="2" size="sm" variant="ghost" onClick={() => setIsWhole(true)}>
                  {t('signIns.more', { count: number(all.length) })}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
