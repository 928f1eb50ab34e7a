import { Box, chakra, Flex, Skeleton, Spinner, VisuallyHidden } from '@chakra-ui/react';
import { CircleAlert, Inbox, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/i18n.ts';
import { messageIn } from '../../lib/shown-message.ts';
import { Button } from '../button.tsx';
import { type ErrorInfo, RequestId } from './error-info.tsx';

interface EmptyStateProps {
  title: string;
  /** Why it is empty and what comes first. */
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <Flex direction="column" align="center" textAlign="center" px="6" py="14" gap="2">
      <Box color="fg.subtle">{icon ?? <Inbox size={32} strokeWidth={1.5} aria-hidden />}</Box>
      <chakra.h2 fontSize="md" fontWeight="semibold">
        {title}
      </chakra.h2>
      {children && (
        <Box color="fg.muted" maxW="26rem" textWrap="balance">
          {children}
        </Box>
      )}
      {action && <Box mt="3">{action}</Box>}
    </Flex>
  );
}

interface ErrorStateProps {
  error: ErrorInfo;
  onRetry?: () => void;
  /** Another way on, e.g. back to the list. */
  action?: ReactNode;
}

export function ErrorState({ error, onRetry, action }: ErrorStateProps) {
  const { t } = useTranslation('ui');
  const language = useLanguage();
  const told = messageIn(language, error.message);
  // It does not come back by asking again.
  if (error.status === 404) {
    return (
      <chakra.div role="alert">
        <EmptyState title={told} action={action} icon={<SearchX size={32} strokeWidth={1.5} aria-hidden />}>
          {t('goneText')}
        </EmptyState>
      </chakra.div>
    );
  }
  return (
    <Flex role="alert" direction="column" align="center" textAlign="center" px="6" py="14" gap="2">
      <Box color="fg.error">
        <CircleAlert size={32} strokeWidth={1.5} aria-hidden />
      </Box>
      <chakra.h2 fontSize="md" fontWeight="semibold">
        {t('loadFailed')}
      </chakra.h2>
      <chakra.p color="fg.muted">{told}</chakra.p>
      <RequestId of={error} />
      <Flex mt="3" gap="2">
        {onRetry && (
          <Button variant="outline" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        {action}
      </Flex>
    </Flex>
  );
}

/** As many lines as the content will have, so that nothing jumps when it comes. */
export function DetailSkeleton({ rows = 4 }: { rows?: number }) {
  return (
    <Box aria-hidden>
      {Array.from({ length: rows }, (_, index) => (
        <Flex key={index} gap="6" py="3" borderBottomWidth="1px" borderColor="border.muted">
          <Skeleton h="5" w="9rem" />
          <Skeleton h="5" flex="1" maxW="20rem" />
        </Flex>
      ))}
    </Box>
  );
}

export function PageSpinner() {
  const { t } = useTranslation('ui');
  return (
    <Flex justify="center" py="24" role="status">
      <Spinner color="accent.solid" size="lg" />
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
    </Flex>
  );
}
