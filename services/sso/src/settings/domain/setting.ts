/** What a call says of a setting: absent stays, null goes. */
export interface SettingChange {
  readonly loginUrl?: string | null | undefined;
  /** XML in base64. */
  readonly metadata?: string | null | undefined;
  readonly metadataUrl?: string | null | undefined;
  readonly defaultGroup?: number | null | undefined;
  readonly groupAttribute?: string | null | undefined;
  readonly usernameAttribute?: string | null | undefined;
  readonly entityIdSuffix?: string | null | undefined;
  readonly useSsoFlag?: boolean | undefined;
  readonly ssoOnly?: boolean | undefined;
}

/** What people choose. */
export interface SettingContent {
  readonly loginUrl: string | null;
  readonly metadataUrl: string | null;
  readonly defaultGroup: number | null;
  readonly groupAttribute: string | null;
  readonly usernameAttribute: string | null;
  readonly entityIdSuffix: string | null;
  readonly useSso: boolean;
  readonly ssoOnly: boolean;
}

export const unset: SettingContent = {
  loginUrl: null,
  metadataUrl: null,
  defaultGroup: null,
  groupAttribute: null,
  usernameAttribute: null,
  entityIdSuffix: null,
  useSso: true,
  ssoOnly: false,
};

/** What a setting is after a change. */
export function changedSetting(before: SettingContent, change: SettingChange): SettingContent {
  return {
    loginUrl: or(change.loginUrl, before.loginUrl),
    metadataUrl: or(change.metadataUrl, before.metadataUrl),
    defaultGroup: or(change.defaultGroup, before.defaultGroup),
    groupAttribute: or(change.groupAttribute, before.groupAttribute),
    usernameAttribute: or(change.usernameAttribute, before.usernameAttribute),
    entityIdSuffix: or(change.entityIdSuffix, before.entityIdSuffix),
    useSso: change.useSsoFlag ?? before.useSso,
    ssoOnly: change.ssoOnly ?? before.ssoOnly,
  };
}

const or = <T>(given: T | null | undefined, before: T | null): T | null =>
  given === undefined ? before : given;

/** Where the metadata of a changed setting comes from. */
export type MetadataSource =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'given'; readonly metadata: string }
  /** What is there stays. */
  | { readonly kind: 'kept' };

/**
 * Where the metadata comes from after a change; undefined where there would be none. An address goes before what is given.
 * @param before where it came from; undefined for a setting that is new
 */
export function metadataSource(
  before: { readonly metadataUrl: string | null } | undefined,
  { metadata, metadataUrl }: Pick<SettingChange, 'metadata' | 'metadataUrl'>,
): MetadataSource | undefined {
  const url = or(metadataUrl, before?.metadataUrl ?? null);
  if (url !== null) {
    // An address that is named is asked again, even the same one.
    return metadataUrl === undefined ? { kind: 'kept' } : { kind: 'address', url };
  }
  if (metadata != null) return { kind: 'given', metadata };
  // What came from an address that goes does not stay.
  const keeps = before !== undefined && before.metadataUrl === null && metadata === undefined;
  return keeps ? { kind: 'kept' } : undefined;
}
