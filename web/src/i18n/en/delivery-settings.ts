import type { deliverySettings as ja } from '../ja/delivery-settings.ts';
import type { Translation } from '../translation.ts';

export const deliverySettings: Translation<typeof ja> = {
  title: 'Delivery settings',
  versions: {
    title: 'Versions that are kept',
    kept: 'Number of versions',
    help: 'So many of the newest versions of each file are kept, the current one included: 1 to {{most}}. The content of older ones is removed 7 days later, and cannot be put back then. Versions that are delivered or reserved are never removed.',
    saved_one: '{{count, number}} version of each file is kept from now on.',
    saved_other: '{{count, number}} versions of each file are kept from now on.',
    confirmTitle: 'Keep fewer versions?',
    confirmText_one:
      'Each file will keep {{count, number}} version instead of {{before}}. The content of the others is removed in 7 days, unless you keep more again before that.',
    confirmText_other:
      'Each file will keep {{count, number}} versions instead of {{before}}. The content of the others is removed in 7 days, unless you keep more again before that.',
    confirm: 'Keep fewer',
  },
};
