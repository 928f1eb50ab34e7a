import type { companyAdmins as ja } from '../ja/company-admins.ts';
import type { Translation } from '../translation.ts';

export const companyAdmins: Translation<typeof ja> = {
  title: 'Company admins',
  create: 'Create company admin',
  edit: 'Edit company admin',
  editOf: 'Edit “{{name}}”',
  confirm: 'Check the details',
  complete: 'Company admin saved',
  id: 'ID',
  name: 'Name',
  email: 'Email address',
  loginId: 'Email address or user ID',
  loginUserId: 'User ID',
  password: 'Password',
  passwordHelp:
    'At least 8 characters with both letters and digits. If you leave it empty, they receive an email to choose their own.',
  passwordEditHelp:
    'Only if you want to change it: at least 8 characters with both letters and digits. A change signs this admin out everywhere else.',
  passwordHidden: '(not shown)',
  passwordByMail: 'They choose it by email',
  passwordKept: 'Stays as it is',
  passwordChanged: 'Will be changed',
  createUserFlag: 'Make this admin a user as well',
  createUserFlagHelp: 'They can use the player too. Where licenses count users, this takes one license.',
  userColumn: 'Also a user',
  isUser: 'Yes',
  isNoUser: 'No',
  lastLoginAt: 'Last sign-in',
  createdAt: 'Created',
  emptyTitle: 'There are no company admins',
  emptyText: 'A company admin can use everything in this portal.',
  deleteTitle: 'Delete company admins?',
  deleteOne:
    'The company admin “{{name}}” will be deleted; if they are a user as well, so will the user and their devices. This cannot be undone.',
  deleteMany:
    'The following {{count}} company admins will be deleted; those who are users as well with their devices. This cannot be undone.',
  deleted_one: '{{count}} company admin has been deleted.',
  deleted_other: '{{count}} company admins have been deleted.',
  created: 'The company admin “{{name}}” was created.',
  updated: 'The company admin “{{name}}” was updated.',
  toList: 'Back to the list',
  passwordMailed: 'An email with a link to choose a password is on its way to them.',
  licenceTaken: 'They are a user as well, which takes one license.',
  madeUser: 'They are a user as well.',
  toRecord: 'Show the new company admin',
  createAnother: 'Create another',
};
