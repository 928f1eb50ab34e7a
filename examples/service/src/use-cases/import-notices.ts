import { fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { noticeRoutes } from '../../contracts/index.ts';
import { insertNotices } from '../data/notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import type { NoticeFields } from '../domain/notice.ts';

const batchSize = 500;
/** Characters of one line. */
const longestLine = 10_000;

/**
 * Stores notices while they arrive, some in each transaction. Throws `E40002` on the line that is none; what came before
 * it may be stored, and is passed over when the same lines are sent again.
 */
export async function importNotices(
  { clock, store }: Dependencies,
  partnerId: number,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  let createdCount = 0;
  let batch: NoticeFields[] = [];
  const flush = async () => {
    const notices = batch;
    batch = [];
    createdCount += await store.write(ofPartner(partnerId), async ({ db }) =>
      insertNotices(db, partnerId, notices, clock.now()),
    );
  };
  let number = 0;
  for await (const line of linesOf(content)) {
    number += 1;
    if (line === '') continue;
    batch.push(parsed(line, number));
    if (batch.length === batchSize) await flush();
  }
  if (batch.length > 0) await flush();
  return createdCount;
}

function parsed(line: string, number: number): NoticeFields {
  const refused = fieldError('E40002', `lines.${number}`, 'invalidValue');
  try {
    const { data, success } = noticeRoutes.noticeFields.safeParse(JSON.parse(line));
    if (success) return data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refused;
}

async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > longestLine) break;
  }
  yield rest + decoder.decode();
}
