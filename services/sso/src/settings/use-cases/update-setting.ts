import { ssoEvents } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { requirePartner } from '../../data/partner-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import {
  findSetting,
  lockSetting,
  nextRevision,
  saveSetting,
  settingStateOf,
} from '../data/setting-repository.ts';
import { changedSetting, metadataSource, type SettingChange } from '../domain/setting.ts';
import { obtainMetadata, storedMetadata } from './obtain-metadata.ts';
import { requireChange } from './require-setting.ts';

type Needed = Pick<
  Dependencies,
  'acceptsLoopback' | 'clock' | 'fetchMetadata' | 'peers' | 'publicUrl' | 'store'
>;

/**
 * Changes single sign-on of a partner.
 * @throws AppError `E40401` where there is none; the others as `createSetting`
 */
export async function updateSetting(deps: Needed, partnerId: number, change: SettingChange): Promise<void> {
  const { clock, publicUrl, store } = deps;
  const known = await store.read(ofPartner(partnerId), async (db) => findSetting(db, partnerId));
  if (!known) throw new AppError('E40401');
  const source = metadataSource(known, change);
  if (!source) throw fieldError('E40003', 'metadata', 'required');
  await requireChange(deps, partnerId, change);
  // Outside of the transaction, which would be open while a provider takes its time.
  const obtained = await obtainMetadata(deps, source);
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    // Another code, told meanwhile, has its entity id.
    const { partnerCode } = await requirePartner(db, partnerId);
    const before = await lockSetting(db, partnerId);
    // Somebody else has changed where it comes from meanwhile.
    const hasMoved = before.metadataUrl !== known.metadataUrl && source.kind === 'kept';
    if (hasMoved) throw new AppError('E40034');
    const now = clock.now();
    const setting = await saveSetting(db, partnerId, {
      content: changedSetting(before, change),
      metadata: obtained && storedMetadata(obtained, now),
      now,
      partnerCode,
    });
    outbox.append(ssoEvents.settingUpdated, {
      subject: partnerId,
      partnerId,
      data: settingStateOf(setting, publicUrl, await nextRevision(db, partnerId)),
    });
  });
}
