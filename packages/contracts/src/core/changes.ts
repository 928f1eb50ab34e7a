/** Changes of what people get of a file: they can be previewed, and may wait for another admin. */
export const changeKinds = [
  'groups',
  'file',
  'reservation',
  'cancel_reservation',
  'restore',
  'rollout',
  'deletion',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What may wait for another admin: those, and that they wait no more. */
export const approvalKinds = [...changeKinds, 'settings'] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStates = ['waiting', 'approved', 'declined', 'expired', 'stale'] as const;
export type ApprovalState = (typeof approvalStates)[number];
