import { describeWhoMay } from './who-may-suite.ts';

describeWhoMay('Documents in PostgreSQL', async () => Promise.resolve({ env: {} }));
