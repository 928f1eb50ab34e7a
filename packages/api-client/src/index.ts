export * from './api-error.ts';
export * from './client.ts';
export * from './request.ts';
export * from './trace.ts';
