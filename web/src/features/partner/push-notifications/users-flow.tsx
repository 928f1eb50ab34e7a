import { useSearchParams } from 'react-router-dom';
import { recordFlow } from '../../../components/record/record-routes.tsx';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { notificationPaths, notificationUsersPath } from './notification-paths.ts';

const of = { paths: notificationPaths, aside: [notificationUsersPath] };
const createFlow = recordFlow(of, 'create');
const editFlow = recordFlow(of, 'edit');

/** The choice of users belongs to the form that led there: that of a new one, or of the one that the address names. */
export function UsersFlow() {
  const [params] = useSearchParams();
  return <FlowRoute flow={params.has('id') ? editFlow : createFlow} />;
}
