import type { deliverySettings as ja } from '../ja/delivery-settings.ts';
import type { Translation } from '../translation.ts';

export const deliverySettings: Translation<typeof ja> = {
  title: 'Delivery settings',
  twoPeople: {
    title: 'Approval by two people',
    stateOn: 'Another administrator approves changes of what people get.',
    stateOff: 'One administrator alone can change what people get.',
    explanation:
      'When it is on, these take effect as they were shown once another administrator approves them within 7 days: groups of a file, reserved updates and their cancellation, putting a version back, stages, new versions and delivery times of files that groups get, and deletions. Nobody approves their own request. One person can always halt a delivery in stages.',
    rule: 'It takes two administrators. While it is on, there cannot be fewer than two, and turning it off takes an approval, too.',
    alone: 'There is only one administrator, so it cannot be turned on.',
    addAdmin: 'Add an administrator',
    isOn: 'Approval by two people is on.',
    on: {
      action: 'Turn on',
      title: 'Turn on approval by two people?',
      text: 'It is on at once: from now on another administrator has to approve changes of what people get.',
      confirm: 'Turn on',
    },
    off: {
      action: 'Turn off',
      title: 'Ask to turn off approval by two people?',
      text: 'It stays on until another administrator approves that.',
      confirm: 'Ask for approval',
    },
  },
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
