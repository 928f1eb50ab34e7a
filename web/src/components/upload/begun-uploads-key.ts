import type { PartnerSession } from '../../lib/session/session-store.ts';

/** Whose uploads they are: a browser may be used by several people. */
export const uploadOwner = ({ partner, user }: Pick<PartnerSession, 'partner' | 'user'>): string =>
  `${partner.id}.${user.id}`;

export const begunUploadsKey = (owner: string): string => `portal.uploads.${owner}`;
