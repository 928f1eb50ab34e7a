import { recordPaths } from './record/record-paths.ts';

export const unitPaths = recordPaths('/admin/outsourcing', { pn: 'own' });
export const unitAdminPaths = recordPaths('/admin/outsourcing/admins', { parent: 'unit' });

interface NamedUnit {
  readonly id: number;
  readonly name: string;
}

const named = (path: string, { id, name }: NamedUnit) => `${path}?id=${id}&pn=${encodeURIComponent(name)}`;

export const unitLink = (unit: NamedUnit): string => named(unitPaths.detail, unit);
export const unitAdminsLink = (unit: NamedUnit): string => named(unitAdminPaths.list, unit);
export const newUnitAdminLink = (unit: NamedUnit): string => named(unitAdminPaths.create.form, unit);
export const editUnitAdminLink = (unit: NamedUnit, adminId: number): string =>
  `${named(unitAdminPaths.edit.form, { ...unit, id: adminId })}&unit=${unit.id}`;
