import type { Language } from '@portal/contracts';
import { en } from '../../web/src/i18n/en/index.ts';
import { ja } from '../../web/src/i18n/ja/index.ts';

/** The texts of the screens, so that specs name what people see and don't repeat it. */
export const texts = { ja, en } as const satisfies Record<Language, unknown>;
