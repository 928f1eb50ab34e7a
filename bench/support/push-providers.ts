import { createAuthority, startApnsServer, startFcmServer } from '@portal/push-stand-in';

/** A process with servers of both providers, which tells its parent where they are, and how many pushes they have taken when it is asked. */

let taken = 0;
const onPush = () => {
  taken += 1;
};
const authority = await createAuthority();
const apns = await startApnsServer({ authority, onPush });
const fcm = await startFcmServer({ authority, onPush });
process.send?.({
  ca: authority.certificate,
  apnsUrl: apns.url,
  fcmUrl: fcm.url,
  account: await fcm.addAccount('bench'),
  app: await authority.forApp('com.example.bench'),
});
process.on('message', () => process.send?.({ taken }));
process.on('disconnect', () => process.exit());
