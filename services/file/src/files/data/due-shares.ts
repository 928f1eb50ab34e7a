/** Of what is due, how much is looked for: of each tenant its oldest up to a share, and nothing of tenants that are not to be asked now. */
export interface DueShares {
  readonly limit: number;
  readonly share: number;
  readonly except: readonly number[];
}
