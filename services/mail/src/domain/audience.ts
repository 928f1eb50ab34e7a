/** Who gets a notice: one person, or all company admins of a partner. */
export type Audience = { readonly kind: 'account' | 'admin' | 'company-admins'; readonly id: number };

/** An audience as it is stored. */
export const audienceName = ({ id, kind }: Audience): string => `${kind}:${id}`;

/** Whoever asks for notices: their own name, by which they read, and all audiences that they are of. */
export interface Reader {
  readonly name: string;
  readonly audiences: readonly string[];
  readonly partnerId: number | null;
  /** Of an administrator of a unit. */
  readonly unitId: number | null;
}
