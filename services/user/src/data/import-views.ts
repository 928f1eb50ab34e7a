import {
  fieldMessage,
  isFieldMessageKey,
  type Language,
  limits,
  type RouteReply,
  type userRoutes,
} from '@portal/contracts';
import type { ImportPhase, ImportStatus } from '../domain/import.ts';
import type { UserDb } from './db.ts';
import type { ImportError, UserImport } from './generated/client.ts';
import { findImport, type ImportKey } from './import-repository.ts';
import { licencesLeft } from './user-list.ts';

type Status = RouteReply<typeof userRoutes.getUserImport>;

/** How far an import has come; null for one that the tenant does not have. */
export async function importStatus(db: UserDb, key: ImportKey, language: Language): Promise<Status | null> {
  const found = await findImport(db, key);
  if (!found) return null;
  const { createCount, deleteCount, errorCount, failure, failureLine, licencesNeeded, moreErrors } = found;
  const { mailCount, sendMails, unchangedCount, updateCount } = found;
  const left = await licencesLeft(db, key.partnerId);
  const lines =
    errorCount === 0
      ? []
      : await lineErrors(db, key, language, { after: null, take: limits.importLinesShown });
  const status = statusOnTheWire(found);
  return {
    status,
    phase: status === 'processing' ? phaseOf(found) : null,
    progress: status === 'processing' ? found.progress : 1,
    lineErrors: lines.map(({ code, field, line, message }) => ({ line, field, code, message })),
    errorCount,
    moreErrors,
    createUpdateCount: createCount + updateCount + unchangedCount,
    createCount,
    updateCount,
    unchangedCount,
    deleteCount,
    mailCount: sendMails ? mailCount : 0,
    unmailedCount: sendMails ? 0 : mailCount,
    licences: left === null ? null : { needed: licencesNeeded, left },
    failure:
      failure === null
        ? null
        : {
            message: textOf(failure, language, { max: limits.maxImportRows.toLocaleString('en') }),
            line: failureLine,
          },
  };
}

export interface LineError {
  readonly line: number;
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** At most `take` bad lines from behind `after`, by line and field. */
export async function lineErrors(
  db: UserDb,
  { id, partnerId }: ImportKey,
  language: Language,
  { after, take }: { after: Pick<LineError, 'line' | 'field'> | null; take: number },
): Promise<LineError[]> {
  const rows = await db.importError.findMany({
    where: {
      partnerId,
      importId: id,
      ...(after && { OR: [{ line: { gt: after.line } }, { line: after.line, field: { gt: after.field } }] }),
    },
    orderBy: [{ line: 'asc' }, { field: 'asc' }],
    take,
  });
  return rows.map(({ code, field, line, message, params }) => ({
    line,
    field,
    code,
    message: textOf(message, language, paramsOf(params)),
  }));
}

function statusOnTheWire({ status }: UserImport): Status['status'] {
  switch (status as ImportStatus) {
    case 'waiting':
    case 'ready':
      return 'processing';
    case 'checked':
      return 'checked';
    case 'complete':
      return 'complete';
    case 'failed':
      return 'failed';
  }
}

/** The column holds nothing but what this service wrote. */
function phaseOf({ phase }: UserImport): ImportPhase {
  return phase as ImportPhase;
}

function textOf(key: string, language: Language, params: Record<string, string | number>): string {
  return isFieldMessageKey(key) ? fieldMessage(key, language, params) : key;
}

function paramsOf(params: ImportError['params']): Record<string, string | number> {
  const known = typeof params === 'object' && params !== null ? Object.entries(params) : [];
  return Object.fromEntries(
    known.filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  );
}
