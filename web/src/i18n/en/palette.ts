import type { palette as ja } from '../ja/palette.ts';
import type { Translation } from '../translation.ts';

export const palette: Translation<typeof ja> = {
  label: 'Search screens, actions and names',
  help: '↑↓ to choose, Enter to open, Esc to close.',
  results: 'Results',
  kinds: {
    recent: 'Chosen lately',
    screens: 'Screens',
    actions: 'Actions',
    files: 'Files',
    users: 'Users',
    groups: 'Groups',
    partners: 'Companies',
    units: 'Units',
    admins: 'Administrators',
  },
  actions: {
    createFile: 'Add file',
    createPush: 'Create a push notification',
    createUser: 'Create user',
    importUsers: 'CSV import of users',
    createGroup: 'Create group',
    createCompanyAdmin: 'Create company admin',
    createUnit: 'Create unit',
    createPartner: 'Create company',
    createUnitAdmin: 'Create unit administrator',
    createPlatformAdmin: 'Create platform administrator',
    light: 'Switch to light mode',
    dark: 'Switch to dark mode',
    system: 'Follow the device’s appearance',
  },
  searching: 'Searching',
  found_one: '{{count}} result',
  found_other: '{{count}} results',
  nothing: 'Nothing matches “{{text}}”.',
  failed: 'The search failed.',
};
