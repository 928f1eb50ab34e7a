export { type ApiKeys, signUpKeyIn } from '../auth/api-key.ts';
export { DemoMixedUp, demoApiKey, demoPassword, demoProblems } from '../demo.ts';
export { startTelemetry } from '../telemetry/start-telemetry.ts';
export { DataFolderInUse, lockDataFolder } from './data-lock.ts';
export { databasesOn } from './databases.ts';
export { markDemoFolder, refuseDemoFolder } from './demo-folder.ts';
export { type Front, type FrontOptions, openFront } from './front.ts';
export { internalKeysOf, publicKeyOf } from './internal-keys.ts';
export { notedSettings, notesOf, overNotes, readNotes, withoutRole } from './noted-settings.ts';
export { readableLogs } from './readable-logs.ts';
export {
  type DatabasePasswords,
  internalKeysIn,
  loadSecrets,
  publicKeysIn,
  type Secrets,
} from './secrets.ts';
export {
  commonSettings,
  flag,
  httpUrl,
  originSetting,
  postgresUrl,
  problemsWithoutDemo,
  publicFront,
  publicSettings,
  readSettings,
  required,
  type SettingsResult,
  wholeNumber,
} from './settings.ts';
export { retryUntilAvailable } from './waiting.ts';
