import { expect, test } from 'vitest';
import { asked, mongo } from './connection.ts';

const failing = (code: number) => async () =>
  Promise.reject(new mongo.MongoServerError({ code, message: 'no' }));
const refusal = (field: string) => ({ code: 'E40002', fields: [{ field, message: 'invalidValue' }] });

test('What MongoDB finds no order in is refused on the field that asks for it', async () => {
  const [parallelArrays, ambiguous] = [2, 16_746];
  await expect(asked(failing(parallelArrays), { about: 'sort' })).rejects.toMatchObject(refusal('sort'));
  await expect(asked(failing(ambiguous), { about: 'sort' })).rejects.toMatchObject(refusal('sort'));
  await expect(asked(failing(ambiguous), { about: 'field' })).rejects.toMatchObject(refusal('field'));
  await expect(asked(failing(ambiguous))).rejects.toMatchObject(refusal(''));
  // Of several documents, of which the first is refused for something else.
  const several = Object.assign(new mongo.MongoBulkWriteError({ message: 'no', code: 11_000 }, {} as never), {
    writeErrors: [{ code: 11_000 }, { code: ambiguous }],
  });
  await expect(asked(async () => Promise.reject(several))).rejects.toMatchObject(refusal(''));
  // Without a sort it is a mistake of this service.
  await expect(asked(failing(parallelArrays))).rejects.toBeInstanceOf(mongo.MongoServerError);
});
