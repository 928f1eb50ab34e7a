import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';

/** A failure in words; every `ApiError` is one. */
export interface ErrorInfo {
  readonly message: string;
  /** 404 tells that a thing is there no more. */
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly fields?: readonly { readonly field: string; readonly message: string }[];
}

/** What support asks for. */
export function RequestId({ id }: { id: string | undefined }) {
  const { t } = useTranslation('ui');
  if (id === undefined) return null;
  return (
    <chakra.p mt="2" fontSize="xs" color="fg.subtle">
      {t('requestId')}: <chakra.code fontFamily="mono">{id}</chakra.code>
    </chakra.p>
  );
}
