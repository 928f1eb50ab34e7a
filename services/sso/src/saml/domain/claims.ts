/** What a provider says of a person, read from the very element that it signed. */
export interface Claims {
  readonly assertionId: string;
  readonly nameId: string;
  readonly nameIdFormat: string | null;
  readonly sessionIndex: string | null;
  /** By their names, and by their friendly names where those are no names. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Until when the assertion could be shown again, in milliseconds since 1970. */
  readonly validUntil: number;
}
