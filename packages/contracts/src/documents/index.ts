export { asyncApiDocument } from './asyncapi.ts';
export { eventsPage } from './events-page.ts';
export { openApiDocument } from './openapi.ts';
