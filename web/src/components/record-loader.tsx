import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { ErrorInfo } from '../ui/feedback/error-info.tsx';
import { DetailSkeleton, ErrorState } from '../ui/feedback/states.tsx';
import { useForgetFlow } from '../ui/flow/flow.tsx';
import { Panel } from '../ui/page/panel.tsx';

interface RecordLoaderProps {
  queries: readonly { error: ErrorInfo | null; refetch: () => unknown }[];
  /** How many lines the record will have. */
  rows: number;
  /** The way to the list. */
  action: ReactNode;
}

/** What stands in the place of a record until all that is shown of it is there, or when it is there no more. */
export function RecordLoader({ queries, rows, action }: RecordLoaderProps) {
  const errors = queries.flatMap(({ error }) => error ?? []);
  const error = errors.find(({ status }) => status === 404) ?? errors[0];
  // What was typed for it is of no use, so leaving does not ask.
  useForgetFlow(error?.status === 404);
  if (!error) {
    return (
      // As high as a page: a footer in view would jump when the record comes.
      <Box minH="100dvh">
        <Panel maxW="page" p="6">
          <DetailSkeleton rows={rows} />
        </Panel>
      </Box>
    );
  }
  return (
    <Panel maxW="form" p="6">
      <ErrorState
        error={error}
        onRetry={() => {
          for (const query of queries) query.refetch();
        }}
        action={action}
      />
    </Panel>
  );
}
