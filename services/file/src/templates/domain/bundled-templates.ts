import type { fileRoutes } from '@portal/contracts';
import { iconName } from '../../uploads/domain/icon.ts';

/** An object of JSON. */
export type Template = Readonly<Record<string, unknown>>;

/**
 * What the settings of a package look like unless the installation has others. What a player reads of them is its own business: the
 * product knows the icon alone.
 */
export const bundledTemplates: Readonly<Record<fileRoutes.TemplateName, Template>> = {
  'application.json': { title: 'My application', version: '1.0.0', icon: iconName, entry: 'index.html' },
  'project.json': { title: 'My project', version: '1.0.0', icon: iconName, contents: [] },
};
