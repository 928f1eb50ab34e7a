import { ssoEvents } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { requirePartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { requireCertificate } from '../../service-provider/use-cases/require-key.ts';
import { hasSetting, insertSetting, nextRevision, settingStateOf } from '../data/setting-repository.ts';
import { changedSetting, metadataSource, type SettingChange, unset } from '../domain/setting.ts';
import { obtainMetadata, storedMetadata } from './obtain-metadata.ts';
import { requireChange } from './require-setting.ts';

type Needed = Pick<
  Dependencies,
  'acceptsLoopback' | 'cipher' | 'clock' | 'fetchMetadata' | 'peers' | 'publicUrl' | 'store'
>;

/**
 * Sets single sign-on of a partner up.
 * @throws AppError `E40032` for a second one; `E40003` on metadata without any; `E40002` on the field of an address or of metadata
 * that is none; `E40404` on defaultGroup; `E40029` on entityIdSuffix
 */
export async function createSetting(deps: Needed, partnerId: number, change: SettingChange): Promise<void> {
  const { clock, publicUrl, store } = deps;
  // Before anything is fetched for it.
  if (await store.read(ofPartner(partnerId), async (db) => hasSetting(db, partnerId)))
    throw new AppError('E40032');
  const source = metadataSource(undefined, change);
  if (!source) throw fieldError('E40003', 'metadata', 'required');
  await requireChange(deps, partnerId, change);
  const obtained = await obtainMetadata(deps, source);
  if (!obtained) throw fieldError('E40003', 'metadata', 'required');
  await requireCertificate(deps, partnerId);
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    // Another code, told meanwhile, has its entity id.
    const { partnerCode } = await requirePartner(db, partnerId);
    const now = clock.now();
    const setting = await insertSetting(db, partnerId, {
      content: changedSetting(unset, change),
      metadata: storedMetadata(obtained, now),
      now,
      partnerCode,
    });
    outbox.append(ssoEvents.settingCreated, {
      subject: partnerId,
      partnerId,
      data: settingStateOf(setting, publicUrl, await nextRevision(db, partnerId)),
    });
  });
}
