import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@portal/kernel';
import { startMongo } from '@portal/testing/engines';
import mongoose from 'mongoose';
import { createMongoStore } from '../../src/store/mongodb/mongo-store.ts';
import { describeDocumentStore } from './contract-suite.ts';

const engine = await startMongo({ dataDir: await mkdtemp(join(tmpdir(), 'portal-mongodb-')) });

/** What FerretDB 1.24.2 answers wrongly. The first are filters, which the adapter refuses on it. */
const ofFerret = {
  refuses: [
    // No whole object or array is found among the elements of an array.
    'a whole array is equal where it is one of its elements, too',
    'a whole object is equal with the same order of keys',
    'an empty object and an empty array are values',
    '$in takes values of all types',
    // An array is taken for null where a path goes on behind it.
    'null is also what is not there',
    // It knows no expressions.
    '$regex of a moment',
  ],
  fails: [
    // Changes of one document are not atomic.
    'keep what somebody else was faster to write',
    'are made once, however many make them at the same time',
    'may be read and replaced by many at once, as one after the other',
    'at the same time neither lose documents nor wait for each other for ever',
    // What an object in an array lacks is not sorted as null.
    'sort by the least element of an array, downwards by the greatest, and through arrays of objects',
  ],
  // It looks through documents by itself, rather than in its database.
  randomFilters: 40,
};

describeDocumentStore(
  `MongoDB (${engine.kind})`,
  async () => {
    const open = () =>
      createMongoStore({ url: engine.url, poolSize: 10, logger: createLogger({ level: 'silent' }) });
    const store = open();
    return {
      store,
      reopen: async () => Promise.resolve(open()),
      async silence({ db, partnerId }) {
        const connection = await mongoose.createConnection(engine.url).asPromise();
        await connection
          .useDb(`p${partnerId}_${db}`)
          .collection('collections')
          .updateMany(
            { heardAt: { $exists: true } },
            { $set: { heardAt: new Date(Date.now() - 11 * 60_000) } },
          );
        await connection.close();
      },
      async close() {
        await store.close();
        await engine.remove();
      },
    };
  },
  engine.kind === 'ferretdb' ? ofFerret : {},
);
