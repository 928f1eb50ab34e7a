export * from './collections.ts';
export * from './databases.ts';
