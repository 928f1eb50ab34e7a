import { Badge, chakra, Flex, Stack } from '@chakra-ui/react';
import { RotateCcw, ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTwoFactor } from '../../components/account/own-account.ts';
import { twoFactorPath } from '../../components/account-paths.ts';
import { useFormat } from '../../lib/format.ts';
import { useSignedIn } from '../../lib/session/use-session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { DetailSkeleton, ErrorState } from '../../ui/feedback/states.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { RenewCodesDialog, TurnOffDialog } from './code-dialogs.tsx';

/** From how many recovery codes on somebody is told that there are few. */
const few = 3;

/** Whether somebody signs in with two factors, and what they can do about it. */
export function OwnTwoFactor() {
  const query = useTwoFactor();
  const { data } = query;
  if (data) return <State state={data} />;
  return (
    <Panel px="5">
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DetailSkeleton rows={2} />
      )}
    </Panel>
  );
}

interface StateProps {
  state: { enabled: boolean; required: boolean; recoveryCodesLeft: number };
}

function State({ state: { enabled, recoveryCodesLeft, required } }: StateProps) {
  const { t } = useTranslation('account');
  const { number } = useFormat();
  const { kind } = useSignedIn();
  const [open, setOpen] = useState<'off' | 'codes'>();
  const close = () => setOpen(undefined);
  return (
    <Panel p="5">
      <Stack gap="4">
        <Flex align="center" gap="2" wrap="wrap">
          <Badge colorPalette={enabled ? 'success' : 'gray'}>
            {t(enabled ? 'twoFactor.on' : 'twoFactor.off')}
          </Badge>
          {required && <Badge colorPalette="info">{t('twoFactor.required')}</Badge>}
          {enabled && (
            <chakra.span color="fg.muted">
              {t('twoFactor.codesLeft', { count: recoveryCodesLeft, left: number(recoveryCodesLeft) })}
            </chakra.span>
          )}
        </Flex>
        {enabled && recoveryCodesLeft <= few && (
          <Notice tone="warning">{t(recoveryCodesLeft === 0 ? 'twoFactor.none' : 'twoFactor.few')}</Notice>
        )}
        {required && <chakra.p color="fg.muted">{t(`twoFactor.requiredBy.${kind}`)}</chakra.p>}
        <Flex gap="2" wrap="wrap">
          {!enabled && (
            <ButtonLink to={twoFactorPath(kind)} icon={<ShieldCheck />}>
              {t('twoFactor.turnOn')}
            </ButtonLink>
          )}
          {enabled && (
            <Button variant="outline" icon={<RotateCcw />} onClick={() => setOpen('codes')}>
              {t('twoFactor.renew')}
            </Button>
          )}
          {enabled && !required && (
            <Button
              variant="outline"
              colorPalette="danger"
              icon={<ShieldOff />}
              onClick={() => setOpen('off')}
            >
              {t('twoFactor.turnOff')}
            </Button>
          )}
        </Flex>
      </Stack>
      {open === 'off' && <TurnOffDialog onClose={close} />}
      {open === 'codes' && <RenewCodesDialog onClose={close} />}
    </Panel>
  );
}
