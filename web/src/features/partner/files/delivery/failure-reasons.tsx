import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { FileDetail } from '../../../../components/files/file.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { Link } from '../../../../ui/link.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import type { Delivery } from './delivery.ts';
import { devicesLink } from './device-links.ts';

/** So many stand on the page; the list of devices has them all. */
const shown = 6;

interface ReasonsProps {
  file: Pick<FileDetail, 'id'>;
  version: number;
  reasons: Delivery['failureReasons'];
}

/** Why devices failed, the most frequent reason first, with the devices that told it. */
export function FailureReasons({ file, reasons, version }: ReasonsProps) {
  const { t } = useTranslation('delivery');
  const { partner } = usePartnerSession();
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return (
    <Panel p={{ base: '4', md: '5' }}>
      <chakra.h3 fontWeight="medium" mb="3">
        {t('reasons.title')}
      </chakra.h3>
      {reasons.length === 0 && <chakra.p color="fg.muted">{t('reasons.none')}</chakra.p>}
      <chakra.ul display="grid" gap="3">
        {reasons.slice(0, shown).map(({ count, reason }) => (
          <li key={reason ?? ''}>
            <Flex justify="space-between" gap="3">
              <chakra.span minW="0" overflowWrap="anywhere" lineClamp="2">
                {reason === null ? (
                  t('reasons.noneTold')
                ) : (
                  <Link to={devicesLink(file, partner.name, { version, status: 'failed', reason })}>
                    {reason}
                  </Link>
                )}
              </chakra.span>
              <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
                {t('reasons.count', { count })}
              </chakra.span>
            </Flex>
            <chakra.div mt="1" h="1" borderRadius="full" bg="bg.muted" overflow="hidden" aria-hidden>
              <chakra.div h="full" bg="danger.solid" style={{ width: `${(count / most) * 100}%` }} />
            </chakra.div>
          </li>
        ))}
      </chakra.ul>
      {reasons.length > shown && (
        <chakra.p mt="3" fontSize="xs" color="fg.muted">
          {t('reasons.more', { count: reasons.length - shown })}
        </chakra.p>
      )}
    </Panel>
  );
}
