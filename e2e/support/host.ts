/** Which host the specs look at: `PORTAL_HOST` is `embedded` (the default) or `distributed`. */
export const isDistributed = process.env['PORTAL_HOST'] === 'distributed';

/** A portal that runs already, with the demo data and without rate limits; it stays as it is. */
export const runningUrl = process.env['PORTAL_URL'];

/** How many specs run at the same time: engines listen at fixed addresses, and a portal that runs already is only one. */
export const workers = isDistributed || runningUrl ? 1 : 2;
