/** What would be in `packages/contracts`, where the service were one of the product. */
export { noticeEntry } from './entry.ts';
export * as noticeEvents from './events.ts';
export * as noticeRoutes from './routes.ts';
