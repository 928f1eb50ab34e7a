/**
 * Who gets a notice: one person, all company admins of a partner, or the administrators of applications of a unit; those of the platform
 * have the id 0.
 */
export type Audience = {
  readonly kind: 'account' | 'admin' | 'company-admins' | 'publishers';
  readonly id: number;
};

/** Those who publish the applications of a unit; null: of the platform. */
export const publishersOf = (unitId: number | null): Audience => ({ kind: 'publishers', id: unitId ?? 0 });

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
