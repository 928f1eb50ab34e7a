import { type File, isApplication } from '../../files/data/file-repository.ts';

/** A file or an application whose stages events tell of. */
export type RolledOut = Pick<File, 'id' | 'name' | 'partnerId' | 'unitId'>;

/** What each event of stages tells. Those of an application are of no tenant, and name who publishes it. */
export function toldOf({ id: fileId, name, partnerId, unitId }: RolledOut, version: number) {
  const data = { fileId, name, version };
  return isApplication({ partnerId })
    ? { event: { subject: fileId, partnerId: null }, data: { ...data, publisher: { unitId } } }
    : { event: { subject: fileId, partnerId }, data };
}
