/** Which host the specs look at: `PORTAL_HOST` is `embedded` (the default) or `distributed`. */
export const isDistributed = process.env['PORTAL_HOST'] === 'distributed';

/** A portal that runs already, with the demo data and without rate limits; it stays as it is. */
export const runningUrl = process.env['PORTAL_URL'];
