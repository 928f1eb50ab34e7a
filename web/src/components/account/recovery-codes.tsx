import { chakra, Flex, Stack } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveBlob } from '../../lib/download.ts';
import { useSignedIn } from '../../lib/session/use-session.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { loginOf } from './own-account.ts';

interface RecoveryCodesProps {
  codes: readonly string[];
  /** What the button does once the codes are kept. */
  doneLabel: string;
  pending?: boolean;
  onDone: () => void;
}

/** New recovery codes: they are shown here alone, so it goes on when they are kept. */
export function RecoveryCodes({ codes, doneLabel, pending = false, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation(['account', 'ui']);
  const session = useSignedIn();
  const [isKept, setIsKept] = useState(false);
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useUnsavedWork(
    () => !isKept,
    () =>
      isKept
        ? undefined
        : {
            title: t('codes.leaveTitle'),
            text: t('codes.leaveText'),
            leaveLabel: t('codes.leave'),
            onLeave: () => undefined,
          },
  );
  const text = [`${t('ui:product')} ${loginOf(session)}`, t('codes.title'), ...codes, ''].join('\r\n');
  return (
    <Stack gap="4">
      <chakra.h2 id={titleId} ref={title} tabIndex={-1} outline="0" fontSize="md" fontWeight="semibold">
        {t('codes.title')}
      </chakra.h2>
      <p>{t('codes.text')}</p>
      <chakra.ul
        aria-labelledby={titleId}
        display="grid"
        gridTemplateColumns="repeat(auto-fill, minmax(min(15rem, 100%), 1fr))"
        gap="1.5"
        p="4"
        bg="bg.subtle"
        borderWidth="1px"
        borderRadius="md"
        fontFamily="mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </chakra.ul>
      <Flex gap="2" wrap="wrap">
        <CopyButton text={codes.join('\n')} label={t('codes.copy')} />
        <Button
          variant="outline"
          icon={<Download />}
          onClick={() => saveBlob(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          {t('codes.download')}
        </Button>
      </Flex>
      <Notice tone="warning">{t('codes.once')}</Notice>
      <chakra.label display="inline-flex" alignItems="center" gap="2" minH="7" cursor="pointer">
        <chakra.input
          type="checkbox"
          boxSize="4"
          flexShrink="0"
          accentColor="accent.solid"
          checked={isKept}
          onChange={(event) => setIsKept(event.target.checked)}
        />
        {t('codes.kept')}
      </chakra.label>
      <div>
        <Button size="md" minW="8rem" disabled={!isKept} pending={pending} onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
    </Stack>
  );
}
