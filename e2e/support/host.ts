import { engineIsInDocker } from '@portal/testing/engines';

/** Which host the specs look at: `PORTAL_HOST` is `embedded` (the default) or `distributed`. */
export const isDistributed = process.env['PORTAL_HOST'] === 'distributed';

/** A portal that runs already, with the demo data and without rate limits; it stays as it is. */
export const runningUrl = process.env['PORTAL_URL'];

/** Whether two products can run at the same time: in Docker engines listen at fixed addresses. */
export const hasRoomForTwo = async () => !isDistributed || !(await engineIsInDocker());

/** How many specs run at the same time: a portal that runs already is only one. */
export const workers = async () => (runningUrl === undefined && (await hasRoomForTwo()) ? 2 : 1);
