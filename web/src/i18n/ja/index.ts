import { auth } from './auth.ts';
import { groups } from './groups.ts';
import { shell } from './shell.ts';
import { ui } from './ui.ts';

/** Every text in the default language; its shape is what the other languages must have. */
export const ja = { auth, groups, shell, ui };
