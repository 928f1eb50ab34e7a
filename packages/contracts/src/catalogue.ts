import type { EventDefinition } from './core/event.ts';
import type { RouteContract } from './core/route.ts';
import * as batchEvents from './events/batch.ts';
import * as collectionEvents from './events/collections.ts';
import * as databaseEvents from './events/databases.ts';
import * as fileEvents from './events/file.ts';
import * as identityEvents from './events/identity.ts';
import * as mailEvents from './events/mail.ts';
import * as operationEvents from './events/operations.ts';
import * as pushEvents from './events/push.ts';
import * as ssoEvents from './events/sso.ts';
import * as tenantEvents from './events/tenant.ts';
import * as userEvents from './events/user.ts';
import * as internal from './internal/index.ts';
import * as administrators from './routes/administrators.ts';
import * as applications from './routes/applications.ts';
import * as approvals from './routes/approvals.ts';
import * as batch from './routes/batch.ts';
import * as calendar from './routes/calendar.ts';
import * as companyAdmins from './routes/company-admins.ts';
import * as databases from './routes/databases.ts';
import * as delivery from './routes/delivery.ts';
import * as documents from './routes/documents.ts';
import * as file from './routes/file.ts';
import * as identity from './routes/identity.ts';
import * as mail from './routes/mail.ts';
import * as notices from './routes/notices.ts';
import * as operations from './routes/operations.ts';
import * as previews from './routes/previews.ts';
import * as push from './routes/push.ts';
import * as rollouts from './routes/rollouts.ts';
import * as scim from './routes/scim.ts';
import * as sessions from './routes/sessions.ts';
import * as signUp from './routes/sign-up.ts';
import * as social from './routes/social.ts';
import * as sso from './routes/sso.ts';
import * as ssoSignIn from './routes/sso-sign-in.ts';
import * as ssoTokens from './routes/sso-tokens.ts';
import * as tenant from './routes/tenant.ts';
import * as twoFactor from './routes/two-factor.ts';
import * as user from './routes/user.ts';

const isRoute = (value: unknown): value is RouteContract =>
  typeof value === 'object' && value !== null && 'method' in value && 'response' in value;

const isEvent = (value: unknown): value is EventDefinition =>
  typeof value === 'object' && value !== null && 'topic' in value;

/** Every route of the product: what the gateway routes, the OpenAPI document lists and the tenant walk visits. */
export const allRoutes: readonly RouteContract[] = [
  identity,
  administrators,
  sessions,
  twoFactor,
  signUp,
  social,
  tenant,
  user,
  companyAdmins,
  file,
  delivery,
  previews,
  approvals,
  calendar,
  rollouts,
  applications,
  batch,
  operations,
  mail,
  notices,
  push,
  sso,
  ssoSignIn,
  ssoTokens,
  scim,
  databases,
  documents,
].flatMap((module) => Object.values<unknown>(module).filter(isRoute));

/** What services ask each other. */
export const internalRoutes: readonly RouteContract[] = Object.values<unknown>(internal).filter(isRoute);

/** Every event of the product: what the AsyncAPI document lists. */
export const allEvents: readonly EventDefinition[] = [
  tenantEvents,
  identityEvents,
  userEvents,
  fileEvents,
  batchEvents,
  mailEvents,
  operationEvents,
  pushEvents,
  ssoEvents,
  databaseEvents,
  collectionEvents,
].flatMap((module) => Object.values<unknown>(module).filter(isEvent));
