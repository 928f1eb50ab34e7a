/** What this installation is to the provider of a tenant. */
export interface SamlParty {
  readonly entityId: string;
  readonly acsUrl: string;
  readonly sloUrl: string;
  /** Both in PEM. */
  readonly privateKey: string;
  readonly certificate: string;
}
