import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';

/** A failure in words; every `ApiError` is one. */
export interface ErrorInfo {
  readonly message: string;
  /** The HTTP status: 404 tells that a thing is there no more, 5xx that the server failed. */
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
}

interface RequestIdProps {
  of: Pick<ErrorInfo, 'requestId' | 'status'> | undefined;
}

/** What support asks for, of a failure that is the server's (5xx): a refusal says itself what is wrong. */
export function RequestId({ of }: RequestIdProps) {
  const { t } = useTranslation('ui');
  if (of?.requestId === undefined || of.status === undefined || of.status < 500) return null;
  return (
    <chakra.p mt="2" fontSize="xs" color="fg.subtle">
      {t('requestId')}: <chakra.code fontFamily="mono">{of.requestId}</chakra.code>
    </chakra.p>
  );
}
