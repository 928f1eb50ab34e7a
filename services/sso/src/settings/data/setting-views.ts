import {
  entityIdOf,
  formatDateTime,
  formatNullableDateTime,
  type RouteReply,
  ssoAddressesOf,
  type ssoRoutes,
} from '@portal/contracts';
import type { Setting } from './setting-repository.ts';

/** A setting as it is answered. */
export function settingRow(
  setting: Setting,
  publicUrl: string,
  partnerCode: string,
): RouteReply<typeof ssoRoutes.getSso> {
  const { acsUrl, spMetadataUrl } = ssoAddressesOf(publicUrl, partnerCode);
  const { lastErrorAt, lastErrorReason } = setting;
  return {
    loginUrl: setting.loginUrl,
    metadata: Buffer.from(setting.metadata).toString('base64'),
    metadataUrl: setting.metadataUrl,
    defaultGroup: setting.defaultGroup,
    groupAttribute: setting.groupAttribute,
    usernameAttribute: setting.usernameAttribute,
    entityIdSuffix: setting.entityIdSuffix,
    useSsoFlag: setting.useSso,
    ssoOnly: setting.ssoOnly,
    entityId: entityIdOf(publicUrl, setting.entityKey),
    acsUrl,
    spMetadataUrl,
    certificateExpiresAt: formatNullableDateTime(setting.certificateExpiresAt),
    metadataFetchedAt: formatNullableDateTime(setting.metadataFetchedAt),
    lastLoginAt: formatNullableDateTime(setting.lastLoginAt),
    lastError: lastErrorAt && { at: formatDateTime(lastErrorAt), reason: lastErrorReason ?? '' },
    createdAt: formatDateTime(setting.createdAt),
    updatedAt: formatDateTime(setting.updatedAt),
  };
}
