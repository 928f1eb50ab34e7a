/** Limits of document databases; apart from the others, which every page of the web client loads. */
export const documentLimits = {
  maxCollections: 100,
  collectionNameMaxLength: 64,
  maxIndexes: 10,
  idMaxLength: 128,
  /** Bytes of a document as it is sent, and how deeply it may be nested; its root is level 1. */
  maxDocumentSize: 1024 * 1024,
  maxDocumentDepth: 100,
  /** Characters of a filter, as JSON. */
  filterMaxLength: 8_000,
  regexMaxLength: 100,
  sortMaxLength: 1_000,
  fieldsMaxLength: 2_000,
  cursorMaxLength: 4_000,
  fieldMaxLength: 255,
  /** After it a filter is given up. */
  filterTimeout: 2_000,
  /** Bytes of an import, which is read as it comes; unpacked, where it is compressed. */
  maxImportSize: 10 * 1024 ** 3,
  /** Bad lines that the answer to an import names. */
  importErrorsShown: 100,
  /** Bytes of a database on trial, and of one that is contracted. */
  trialQuota: 100 * 1024 ** 2,
  contractedQuota: 10 * 1024 ** 3,
  /** After the end of the contract nothing is written; for so long it is still read and exported. */
  readingPeriod: 30 * 24 * 3_600_000,
} as const;

/** The contract of a document database, by its number on the wire. */
export const databaseContract = { none: 0, trial: 1, contracted: 2 } as const;
export const databaseContractStatuses = [0, 1, 2] as const;
export type DatabaseContractStatus = (typeof databaseContractStatuses)[number];

/** How an import treats documents whose `_id` is there. */
export const importModes = ['insert', 'replace', 'upsert'] as const;
export type ImportMode = (typeof importModes)[number];
