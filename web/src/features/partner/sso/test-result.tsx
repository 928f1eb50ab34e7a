import { chakra, Stack } from '@chakra-ui/react';
import { type RouteReply, ssoSignInRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useTenant } from '../../../components/tenant.ts';
import { useApiList } from '../../../lib/api.ts';
import { CopyValue } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useReasonWords } from './reason-words.ts';

/** Milliseconds after which it is asked again whether somebody has signed in. */
const interval = 2000;

type Result = RouteReply<typeof ssoSignInRoutes.getSsoTest>;

interface TestResultProps {
  testId: string;
  /** Here the end is waited for; elsewhere the test should be over. */
  waits?: boolean;
}

/** What came of a test: who, in which groups, by which attributes, or why not. */
export function TestResult({ testId, waits = false }: TestResultProps) {
  const { t } = useTranslation('sso');
  const { id: pid, isOwn } = useTenant();
  const { data, error, refetch } = useApiList(
    isOwn ? ssoSignInRoutes.getSsoTest : ssoSignInRoutes.getPartnerSsoTest,
    { params: { pid, testId } },
    ({ state }) => state === 'waiting' && interval,
  );
  if (error?.code === 'E40401') return <Notice tone="warning">{t('test.gone')}</Notice>;
  if (error && !data) {
    return (
      <Panel>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Panel>
    );
  }
  return (
    <div role="status">
      {data && data.state !== 'waiting' ? (
        <Outcome result={data} />
      ) : (
        <Notice tone="info">{t(waits ? 'test.waiting' : 'test.pending')}</Notice>
      )}
    </div>
  );
}

function Outcome({ result }: { result: Result }) {
  const { t } = useTranslation('sso');
  const wordsOf = useReasonWords();
  const { attributes, reason, state } = result;
  return (
    <Stack gap="3">
      {state === 'accepted' ? (
        <Notice tone="success">{t('test.accepted')}</Notice>
      ) : (
        <Notice tone="error">
          <p>
            {t('test.refused')} {wordsOf(reason ?? '').what}
          </p>
          <p>
            {t('mend')}: {wordsOf(reason ?? '').mend}
          </p>
          {reason && (
            <chakra.p fontSize="xs">
              {t('told')}: <code>{reason}</code>
            </chakra.p>
          )}
        </Notice>
      )}
      {result.identifier !== null && <Person result={result} />}
      {attributes.length > 0 && <Attributes attributes={attributes} />}
    </Stack>
  );
}

function Person({ result: { groups, identifier, name, state, userId } }: { result: Result }) {
  const { t } = useTranslation('sso');
  return (
    <Panel>
      <DescriptionList
        items={[
          { label: t('test.identifier'), value: identifier },
          { label: t('test.name'), value: name ?? t('none') },
          ...(state === 'accepted'
            ? [
                {
                  label: t('test.who'),
                  value: userId === null ? t('test.new') : t('test.existing', { id: userId }),
                },
                {
                  label: t('test.groups'),
                  value:
                    groups.length === 0
                      ? t('test.noGroups')
                      : groups
                          .map((group) =>
                            group.known ? group.name : t('test.unknownGroup', { name: group.name }),
                          )
                          .join('\n'),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

function Attributes({ attributes }: Pick<Result, 'attributes'>) {
  const { t } = useTranslation('sso');
  return (
    <div>
      <chakra.h3 fontWeight="semibold">{t('test.attributes')}</chakra.h3>
      <chakra.p fontSize="xs" color="fg.muted" mb="2">
        {t('test.attributesHelp')}
      </chakra.p>
      <Panel>
        <DescriptionList
          items={attributes.map(({ name, values }) => ({
            label: name,
            value: (
              <>
                <CopyValue text={name} label={t('copy', { name })} />
                {'\n'}
                {values.join('\n')}
              </>
            ),
          }))}
        />
      </Panel>
    </div>
  );
}
