import { engineIsInDocker } from '@portal/testing/engines';

/** Which host the specs look at: `PORTAL_HOST` is `embedded` (the default) or `distributed`. */
export const isDistributed = process.env['PORTAL_HOST'] === 'distributed';

/** A portal that runs already, with the demo data and without rate limits; it stays as it is. */
export const runningUrl = process.env['PORTAL_URL'];

/** Whether several products can run at the same time: in Docker engines listen at fixed addresses. */
export const hasRoomForMore = async () => !isDistributed || !(await engineIsInDocker());

/** How many specs run at the same time: a portal that runs already is only one. Three where one spec alone waits half of its time. */
export async function workers(): Promise<number> {
  if (runningUrl !== undefined || !(await hasRoomForMore())) return 1;
  return isDistributed ? 2 : 3;
}
