export { asyncApiDocument } from './asyncapi.ts';
export { eventsPage } from './events-page.ts';
export { type JsonSchema, wireSchema } from './json-schema.ts';
export { openApiDocument } from './openapi.ts';
