import { chakra, Flex } from '@chakra-ui/react';
import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';

interface PhonePreviewProps {
  title: string;
  message: string;
  /** When it arrives; empty for now. */
  at: string;
}

/** How a phone shows a notification, more or less. */
export function PhonePreview({ at, message, title }: PhonePreviewProps) {
  const { t } = useTranslation('pushNotifications');
  const { dateTime } = useFormat();
  return (
    <chakra.figure
      aria-label={t('preview.label')}
      w="19rem"
      maxW="100%"
      flexShrink="0"
      position={{ xl: 'sticky' }}
      top={{ xl: '5rem' }}
    >
      <chakra.div
        minH="24rem"
        p="3"
        borderWidth="8px"
        borderColor="border.emphasized"
        borderRadius="36px"
        bg="bg.muted"
      >
        <chakra.div
          aria-hidden
          w="5rem"
          h="1.5"
          mx="auto"
          mb="8"
          borderRadius="full"
          bg="border.emphasized"
        />
        <chakra.div p="3" borderRadius="16px" bg="bg.panel" boxShadow="md">
          <Flex align="center" gap="2" mb="1.5" fontSize="xs" color="fg.muted">
            <Bell size={14} aria-hidden />
            <span>{t('preview.app')}</span>
            <chakra.span ms="auto">{at === '' ? t('preview.now') : dateTime(at)}</chakra.span>
          </Flex>
          {title !== '' && (
            <chakra.p fontWeight="semibold" overflowWrap="anywhere">
              {title}
            </chakra.p>
          )}
          <chakra.p
            whiteSpace="pre-wrap"
            overflowWrap="anywhere"
            color={message === '' ? 'fg.muted' : undefined}
          >
            {message === '' ? t('preview.empty') : message}
          </chakra.p>
        </chakra.div>
      </chakra.div>
      <chakra.figcaption mt="2" fontSize="xs" color="fg.muted" textAlign="center">
        {t('preview.caption')}
      </chakra.figcaption>
    </chakra.figure>
  );
}
