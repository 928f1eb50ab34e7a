import type { administrators as ja } from '../ja/administrators.ts';
import type { Translation } from '../translation.ts';

export const administrators: Translation<typeof ja> = {
  name: 'Name',
  email: 'Email address',
  emailHelp: 'They sign in with it. It cannot be changed later.',
  emailFixed: 'The email address cannot be changed.',
  password: 'Password',
  passwordHelp: 'At least 8 characters with both letters and digits. No email tells it: please pass it on.',
  passwordEditHelp:
    'Only if you want to change it: at least 8 characters with both letters and digits. A change signs this administrator out everywhere.',
  ownPasswordHelp:
    'Only if you want to change it: at least 8 characters with both letters and digits. A change signs you out everywhere else.',
  passwordHidden: '(not shown)',
  passwordKept: 'Stays as it is',
  passwordChanged: 'Will be changed',
  role: 'Role',
  roleHelp: 'You can give what you may do yourself. A change is in force at once, for who is signed in too.',
  ownRole: 'You cannot change your own role.',
  roles: {
    superadmin: 'Everything',
    unitadmin: 'Manage administrators',
    tenantadmin: 'Manage companies',
    groupadmin: 'View groups',
    useradmin: 'View users',
    fileadmin: 'Manage applications',
    noadmin: 'View companies only',
  },
  means: {
    superadmin:
      'Everything: can create, edit and delete platform administrators and set the push certificate too.',
    unitadminOfPlatform: 'As below, and can create, edit and delete units and their administrators.',
    unitadmin: 'As below, and can create, edit and delete administrators of this unit.',
    tenantadmin:
      'As below, and can create, edit and delete companies and company admins, with contracts, licenses, single sign-on and document databases, and see the license history and operation logs.',
    groupadmin: 'As below, and can see the groups and push certificates of companies.',
    useradmin: 'As below, and can see the users of companies.',
    fileadmin:
      'As below, and can create, edit, delete and roll out applications, and see the files of companies.',
    noadmin: 'Can see units and the contracts and documents of companies, and change nothing.',
  },
  lastLoginAt: 'Last sign-in',
  createdAt: 'Created',
  tellPassword: 'No email tells them. Please give them their email address and password.',
};
