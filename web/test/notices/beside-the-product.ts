import type { RecordNamespace } from '../../src/components/record/record.ts';
import type { Call } from '../../src/lib/session/calls.ts';

/** The types know the calls and texts of the product alone; for a record of the product neither of these is needed. */

export const call = (name: string) => name as Call;
export const texts = 'notices' as RecordNamespace;
