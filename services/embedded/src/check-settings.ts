import type { SettingsResult } from '@portal/service-kit/host';
import { services } from './services.ts';
import { readSettings, type Settings } from './settings.ts';

/** Reads the settings of an installation, and reports what is wrong for itself or for any service, one line each. */
export function checkSettings(env: Readonly<Record<string, string | undefined>>): SettingsResult<Settings> {
  const read = readSettings(env);
  if (read.problems) return read;
  const ofServices = {
    ...env,
    // Made at the first start, unless it is given.
    KEY_ENCRYPTION_KEY: env['KEY_ENCRYPTION_KEY'] || 'A'.repeat(43),
    DEMO: read.settings.demo ? '1' : '0',
  };
  const problems = [...new Set(services.flatMap((service) => service.checkSettings(ofServices)))];
  return problems.length > 0 ? { problems } : read;
}
