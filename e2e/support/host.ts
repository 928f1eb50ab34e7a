/** Which host the specs look at: `PORTAL_HOST` is `embedded` (the default) or `distributed`. */
export const isDistributed = process.env['PORTAL_HOST'] === 'distributed';
