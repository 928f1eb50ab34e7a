export { type TestDatabase, testDatabase } from './postgres.ts';
