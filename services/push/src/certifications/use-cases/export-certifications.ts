import type { Readable } from 'node:stream';
import { csvDateTime, csvStream, knownTimeZone } from '@portal/csv-export';
import { ofPartner } from '@portal/service-kit';
import type { Certification } from '../../data/generated/client.ts';
import type { Dependencies } from '../../dependencies.ts';
import { certificationsAfter } from '../data/certification-views.ts';

const header = ['id', 'name', 'android', 'ios', 'topic', 'certificate_expires_at', 'updated_at'];

/** certifications.csv as a stream, with times in `tz`. Throws `E40002` on tz for one that is not known. */
export async function exportCertifications(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
  { tz, ...filter }: { readonly tz: string; readonly name?: string | undefined },
): Promise<Readable> {
  const dateTime = csvDateTime(await store.read(ofPartner(partnerId), (db) => knownTimeZone(db, tz)));
  return csvStream<Certification>({
    header,
    next: async ({ after, take }) =>
      store.read(ofPartner(partnerId), (db) =>
        certificationsAfter(db, partnerId, filter, { after: after?.id ?? 0, take }),
      ),
    rows: ({ certificate, certificateExpiresAt, id, name, projectId, topic, updatedAt }) => [
      [
        id,
        name ?? '',
        projectId === null ? 0 : 1,
        certificate === null ? 0 : 1,
        topic ?? '',
        certificateExpiresAt === null ? '' : dateTime(certificateExpiresAt),
        dateTime(updatedAt),
      ],
    ],
  });
}
