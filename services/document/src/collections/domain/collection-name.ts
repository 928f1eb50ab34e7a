import { documentRoutes } from '@portal/contracts';

const { name } = documentRoutes.createCollection.body?.shape ?? {};

/** What is no name of a collection names none: such a name never reaches a store. */
export const isCollectionName = (value: string): boolean => name?.safeParse(value).success ?? false;
