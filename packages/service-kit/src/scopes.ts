import type { Scope } from '@portal/database';

/** The rows of one partner. Calls of its people have it already, as `call.scope`. */
export const ofPartner = (partnerId: number): Scope => ({ kind: 'partner', partnerId });
/** The rows of one unit and its partners. Calls of its administrators have it already, as `call.scope`. */
export const ofUnit = (unitId: number): Scope => ({ kind: 'unit', unitId });
/**
 * The rows of all tenants. Calls and jobs that may see them are given this scope; whatever else takes it says why, and what
 * handles calls may not.
 */
export const systemScope = (why: string): Scope => ({ kind: 'system', why });
