import { chakra } from '@chakra-ui/react';
import type { ApiError } from '@portal/api-client';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** Why the service did not take a document, above what it is about. */
export function Refusal({ error }: { error: ApiError | null }) {
  return (
    error && (
      <chakra.div mb="3">
        <Notice tone="error">
          <p>{error.message}</p>
          {error.fields.map(({ field, message }) => (
            <p key={field}>
              <code>{field}</code>: {message}
            </p>
          ))}
        </Notice>
      </chakra.div>
    )
  );
}
