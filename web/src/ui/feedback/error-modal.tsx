import { chakra } from '@chakra-ui/react';
import { ApiError } from '@portal/api-client';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asApiError } from '../../lib/api.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { type ErrorInfo, RequestId } from './error-info.tsx';

interface ErrorModal {
  /** Shows a failure that belongs to no field on the page, such as a refused deletion. */
  showError(error: ErrorInfo): void;
}

const ErrorModalContext = createContext<ErrorModal | undefined>(undefined);

export function useErrorModal(): ErrorModal {
  const modal = use(ErrorModalContext);
  if (!modal) throw new Error('ErrorModalProvider is missing');
  return modal;
}

interface ErrorModalProviderProps {
  /** What another place of the page tells already. */
  isTold?: (error: ApiError) => boolean;
  children: ReactNode;
}

export function ErrorModalProvider({ children, isTold }: ErrorModalProviderProps) {
  const { t } = useTranslation('ui');
  const [error, setError] = useState<ErrorInfo>();
  const modal = useMemo<ErrorModal>(
    () => ({
      showError(cause) {
        const error = cause instanceof Error ? asApiError(cause) : cause;
        if (!(error instanceof ApiError && isTold?.(error))) setError(error);
      },
    }),
    [isTold],
  );
  const close = () => setError(undefined);
  return (
    <ErrorModalContext value={modal}>
      {children}
      <Dialog
        open={error !== undefined}
        onClose={close}
        title={t('errorTitle')}
        actions={<Button onClick={close}>{t('close')}</Button>}
      >
        <p>{error?.message}</p>
        {error?.status === 404 && <chakra.p mt="2">{t('goneMeanwhile')}</chakra.p>}
        {error?.fields && error.fields.length > 0 && (
          <chakra.ul mt="2" ps="5" listStyleType="disc">
            {error.fields.map(({ field, message }) => (
              <li key={field + message}>{message}</li>
            ))}
          </chakra.ul>
        )}
        <RequestId of={error} />
      </Dialog>
    </ErrorModalContext>
  );
}
