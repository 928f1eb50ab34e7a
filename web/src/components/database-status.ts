/** What the states of a contract of a document database are called in the texts, by their numbers. */
export const databaseStatusNames = ['none', 'trial', 'contracted'] as const;
