import { describe, expect, it } from 'vitest';
import { requireDeviceLicence, requireRoomForDevice, requireUserLicence } from './licence.ts';

const ofUsers = { licenseType: 'user', licenseCount: 2, userDeviceLimit: 0 } as const;
const ofDevices = { licenseType: 'device', licenseCount: 2, userDeviceLimit: 0 } as const;
const refusal = (code: string) => expect.objectContaining({ code });

describe('Licences that count users', () => {
  it('are taken by users alone', () => {
    requireUserLicence(ofUsers, 1);
    expect(() => requireUserLicence(ofUsers, 2)).toThrow(refusal('E40008'));
    requireDeviceLicence(ofUsers, 2);
  });
});

describe('Licences that count devices', () => {
  it('are taken by devices alone', () => {
    requireDeviceLicence(ofDevices, 1);
    expect(() => requireDeviceLicence(ofDevices, 2)).toThrow(refusal('E40307'));
    requireUserLicence(ofDevices, 2);
  });
});

describe('The devices of a user', () => {
  const unlimited = { maxDeviceCountLimitedFlag: false, maxDeviceCount: 0 };
  const limitedTo = (maxDeviceCount: number) => ({ maxDeviceCountLimitedFlag: true, maxDeviceCount });

  it('are as many as the user may have', () => {
    requireRoomForDevice(limitedTo(2), ofUsers, 1);
    expect(() => requireRoomForDevice(limitedTo(2), ofUsers, 2)).toThrow(refusal('E40306'));
    expect(() => requireRoomForDevice(limitedTo(0), ofUsers, 0)).toThrow(refusal('E40306'));
  });
  it('are as many as usual at the partner when the user has no limit of their own', () => {
    requireRoomForDevice(unlimited, ofUsers, 1000);
    requireRoomForDevice(unlimited, { ...ofDevices, userDeviceLimit: 1 }, 0);
    expect(() => requireRoomForDevice(unlimited, { ...ofDevices, userDeviceLimit: 1 }, 1)).toThrow(
      refusal('E40306'),
    );
    requireRoomForDevice(limitedTo(2), { ...ofDevices, userDeviceLimit: 1 }, 1);
  });
});
