export { startTelemetry } from '../telemetry/start-telemetry.ts';
export { DataFolderInUse, lockDataFolder } from './data-lock.ts';
export { databasesOn } from './databases.ts';
export { type Front, type FrontOptions, openFront } from './front.ts';
export { internalKeysOf, loadSecrets, type Secrets } from './secrets.ts';
export {
  commonSettings,
  demoApiKey,
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
export { untilThere } from './waiting.ts';
