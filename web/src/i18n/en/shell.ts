import type { shell as ja } from '../ja/shell.ts';
import type { Translation } from '../translation.ts';

export const shell: Translation<typeof ja> = {
  skip: 'Skip to content',
  navigation: 'Main menu',
  openNavigation: 'Open menu',
  account: 'Account',
  language: 'Language',
  switchTo: '日本語',
  dark: 'Switch to dark mode',
  light: 'Switch to light mode',
  changePassword: 'Change password',
  logout: 'Log out',
  home: 'Home',
  notFoundTitle: 'Page not found',
  notFoundText: 'The address may have changed, or the page may have been removed.',
  forbiddenTitle: 'This page is not available to you',
  crashTitle: 'Something went wrong',
  crashText: 'Please reload the page. If it happens again, contact your administrator.',
  reload: 'Reload',
  nav: {
    home: 'Home',
    units: 'Units',
    partners: 'Partners',
    files: 'Files',
    users: 'Users',
    groups: 'Groups',
    companyAdmins: 'Company admins',
    summary: 'Summary',
  },
  area: {
    tenants: 'Tenants',
    distribution: 'Distribution',
    people: 'People',
    company: 'Company',
  },
};
