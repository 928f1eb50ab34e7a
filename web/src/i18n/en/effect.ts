import type { effect as ja } from '../ja/effect.ts';
import type { Translation } from '../translation.ts';

export const effect: Translation<typeof ja> = {
  title: 'Effect of this change',
  gains: 'Get it',
  loses: 'Lose it',
  changes: 'Get another version',
  users_one: '{{count, number}} person',
  users_other: '{{count, number}} people',
  devices_one: '({{devices}} device)',
  devices_other: '({{devices}} devices)',
  nobody: 'Nobody gets anything else by this change.',
  nobodyShort: 'nobody gets anything else',
  separator: ', ',
  countingOf: 'Working out the effects ({{done}}/{{count}})',
  running: 'Under way ({{done}}/{{count}})',
  refused: 'This cannot be changed. {{reason}}',
  refusedAt: '“{{name}}” could not be changed. {{reason}} Done: {{done}}, left: {{left}}.',
  tooMany_one: 'Effects are told of up to {{count, number}} file at once. Choose fewer to see them.',
  tooMany_other: 'Effects are told of up to {{count, number}} files at once. Choose fewer to see them.',
  names: 'Show names',
  more_one: 'and {{count, number}} more',
  more_other: 'and {{count, number}} more',
  bytes: 'Sent to devices: {{size}}',
  counting: 'Working out the effect of this change',
  uploading: 'Waiting for the upload to finish ({{attempt}}/{{attempts}})',
  failed: 'The effect of this change could not be worked out.',
  changed:
    'Something has changed since you looked, so nothing has been done. Please check the new effect and confirm again.',
  waits: 'Two people decide here: nothing changes until another administrator approves.',
  ask: 'Ask for approval',
  asked: 'Sent for approval. It takes effect when another administrator approves it.',
  askedMany_one:
    '{{count, number}} change was sent for approval. It takes effect when another administrator approves it.',
  askedMany_other:
    '{{count, number}} changes were sent for approval. They take effect when another administrator approves them.',
  toApproval: 'Show request',
  toApprovals: 'To the approvals',
};
