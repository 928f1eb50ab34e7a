import { foldCase, maxId } from '@portal/contracts';
import type { FilterStep } from '@portal/contracts/internal';
import { likePattern } from '@portal/database';
import { fieldError } from '@portal/kernel';
import { Prisma } from './generated/client.ts';
import type { UserFilters } from './user-filters.ts';

const { sql } = Prisma;

/** What a filter may ask of: the columns of a table with an alias of its own. */
interface Columns {
  readonly id: Prisma.Sql;
  readonly login?: Prisma.Sql;
  readonly name: Prisma.Sql;
  readonly externalId: Prisma.Sql;
  readonly createdAt: Prisma.Sql;
  readonly updatedAt: Prisma.Sql;
  readonly active?: Prisma.Sql;
  /** Whether somebody is in it: a group. */
  readonly hasMember?: (userId: number | null) => Prisma.Sql;
}

/** Every user is also found by what they sign in with, of which the database keeps one column. */
const userColumns: Columns = {
  id: sql`a.id`,
  login: sql`a.login_key`,
  name: sql`a.name_key`,
  externalId: sql`a.external_id`,
  createdAt: sql`a.created_at`,
  updatedAt: sql`a.updated_at`,
  active: sql`a.active`,
};

const groupColumns = (partnerId: number): Columns => ({
  id: sql`g.id`,
  name: sql`g.name_key`,
  externalId: sql`g.external_id`,
  createdAt: sql`g.created_at`,
  updatedAt: sql`g.updated_at`,
  hasMember: (userId) => sql`EXISTS (
    SELECT 1 FROM memberships m WHERE m.partner_id = ${partnerId} AND m.group_id = g.id
    ${userId === null ? Prisma.empty : sql`AND m.account_id = ${userId}`})`,
});

/** Conditions on the account `a`. */
export function provisionedUserFilters(
  partnerId: number,
  filter: readonly FilterStep[] | undefined,
): UserFilters {
  if (!filter || filter.length === 0) return { conditions: [], question: null };
  return {
    conditions: [conditionOf(filter, userColumns)],
    question: JSON.stringify(['provisioning', partnerId, filter]),
  };
}

/** A condition on the group `g`. */
export function provisionedGroupCondition(
  partnerId: number,
  filter: readonly FilterStep[] | undefined,
): Prisma.Sql {
  const ofPartner = sql`g.partner_id = ${partnerId}`;
  if (!filter || filter.length === 0) return ofPartner;
  return sql`${ofPartner} AND ${conditionOf(filter, groupColumns(partnerId))}`;
}

function conditionOf(filter: readonly FilterStep[], columns: Columns): Prisma.Sql {
  const stack: Prisma.Sql[] = [];
  for (const step of filter) {
    if (step.test === 'and' || step.test === 'or') {
      const [right, left] = [stack.pop(), stack.pop()];
      if (!left || !right) throw invalid();
      stack.push(step.test === 'and' ? sql`(${left} AND ${right})` : sql`(${left} OR ${right})`);
    } else if (step.test === 'not') {
      const of = stack.pop();
      if (!of) throw invalid();
      stack.push(sql`NOT (${of})`);
    } else {
      stack.push(comparison(step, columns));
    }
  }
  const [condition, ...others] = stack;
  if (!condition || others.length > 0) throw invalid();
  return condition;
}

function invalid(): Error {
  return fieldError('E40002', 'filter', 'invalidValue');
}

type Comparison = Exclude<FilterStep, { readonly test: 'and' | 'or' | 'not' }>;

/** Never null, so that `not` turns each round. */
function comparison(step: Comparison, columns: Columns): Prisma.Sql {
  switch (step.test) {
    case 'always':
      return step.value ? sql`true` : sql`false`;
    case 'active': {
      const { active } = columns;
      if (!active) throw invalid();
      return step.value ? active : sql`NOT ${active}`;
    }
    case 'member': {
      if (!columns.hasMember) throw invalid();
      return columns.hasMember(step.userId);
    }
    case 'present':
      if (step.field === 'externalId') return sql`${columns.externalId} IS NOT NULL`;
      if (!columns.hasMember) throw invalid();
      return columns.hasMember(null);
    case 'time':
      return timeCondition(columns[step.field], step);
    case 'text':
      return textCondition(step, columns);
  }
}

const orders = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;

/** Times are told in whole seconds but kept more exactly. */
function timeCondition(
  column: Prisma.Sql,
  { operator, value }: Extract<Comparison, { test: 'time' }>,
): Prisma.Sql {
  const asked = new Date(value);
  const second = new Date(Math.floor(asked.getTime() / 1000) * 1000);
  const next = new Date(second.getTime() + 1000);
  const isWhole = asked.getTime() === second.getTime();
  switch (operator) {
    case 'eq':
      return isWhole ? sql`(${column} >= ${second} AND ${column} < ${next})` : sql`false`;
    case 'ne':
      return isWhole ? sql`(${column} < ${second} OR ${column} >= ${next})` : sql`true`;
    case 'gt':
    case 'le':
      return operator === 'gt' ? sql`${column} >= ${next}` : sql`${column} < ${next}`;
    case 'ge':
    case 'lt': {
      const from = isWhole ? second : next;
      return operator === 'ge' ? sql`${column} >= ${from}` : sql`${column} < ${from}`;
    }
  }
}

function textCondition(step: Extract<Comparison, { test: 'text' }>, columns: Columns): Prisma.Sql {
  const { field, operator, value } = step;
  if (field === 'id') return idCondition(columns.id, step);
  // No text in the database has such characters.
  const isPossible = !value.includes('\u0000') && value.isWellFormed();
  if (!isPossible) return operator === 'ne' ? sql`true` : sql`false`;
  if (field === 'externalId') {
    const { externalId } = columns;
    const compares = textComparison(externalId, operator, value);
    return operator === 'ne'
      ? sql`${externalId} IS DISTINCT FROM ${value}`
      : sql`(${externalId} IS NOT NULL AND ${compares})`;
  }
  const column = columns[field];
  if (!column) throw invalid();
  return textComparison(column, operator, foldCase(value));
}

/** Equality is what row-level security lets an index answer, and ranges: what begins with a text is one. */
function textComparison(
  column: Prisma.Sql,
  operator: Extract<Comparison, { test: 'text' }>['operator'],
  value: string,
): Prisma.Sql {
  switch (operator) {
    case 'eq':
      return sql`${column} = ${value}`;
    case 'ne':
      return sql`${column} <> ${value}`;
    case 'co':
      return sql`${column} LIKE ${likePattern(value, { before: true, after: true })}`;
    case 'ew':
      return sql`${column} LIKE ${likePattern(value, { before: true })}`;
    case 'sw':
      return sql`(${column} >= ${value} AND ${column} LIKE ${likePattern(value, { after: true })}
        AND ${column} <= ${value + lastCharacters})`;
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      return sql`${column} ${orders[operator]} ${value}`;
  }
}

/** In the order of the database, which is that of bytes, nothing that begins with a text comes behind it with these. */
const lastCharacters = '\u{10FFFF}'.repeat(255);

/** Ids are numbers, told as texts. */
function idCondition(
  column: Prisma.Sql,
  { operator, value }: Extract<Comparison, { test: 'text' }>,
): Prisma.Sql {
  const isId = /^[1-9]\d{0,9}$/.test(value) && Number(value) <= maxId;
  if (operator === 'eq') return isId ? sql`${column} = ${Number(value)}` : sql`false`;
  if (operator === 'ne') return isId ? sql`${column} <> ${Number(value)}` : sql`true`;
  return textComparison(sql`${column}::text`, operator, value.replaceAll('\u0000', ''));
}
