import type * as contracts from '@portal/contracts';
import type { RouteContract } from '@portal/contracts';

type Contracts = typeof contracts;
type CallsOf<M> = { [K in keyof M]: M[K] extends RouteContract ? K : never }[keyof M];

/** The name of a call, as its contract has it: `listGroups` of `userRoutes.listGroups`. */
export type Call = { [M in keyof Contracts & `${string}Routes`]: CallsOf<Contracts[M]> }[keyof Contracts &
  `${string}Routes`];
