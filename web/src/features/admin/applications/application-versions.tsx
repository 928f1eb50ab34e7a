import { deliveryRoutes } from '@portal/contracts';
import { useState } from 'react';
import type { Version } from '../../../components/versions/version-item.tsx';
import { VersionLine } from '../../../components/versions/version-line.tsx';
import { useApiList } from '../../../lib/api.ts';
import { usePaging } from '../../../lib/list/use-paging.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import type { Application } from './application-rules.ts';
import { PutBackApplication } from './put-back-application.tsx';

/** The versions of an application, each with the way back to it. */
export function ApplicationVersions({ application }: { application: Application }) {
  const may = useMay();
  const paging = usePaging();
  const { page, perPage } = paging;
  const [chosen, setChosen] = useState<Version>();
  const query = useApiList(deliveryRoutes.listApplicationVersions, {
    params: { id: application.id },
    query: { page, perPage },
  });
  return (
    <VersionLine
      query={query}
      paging={paging}
      onPutBack={may('restoreApplicationVersion') ? setChosen : undefined}
    >
      <PutBackApplication
        application={application}
        version={chosen?.version}
        onClose={() => setChosen(undefined)}
      />
    </VersionLine>
  );
}
