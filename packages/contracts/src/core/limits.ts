/** Business limits. Sizes are bytes, durations milliseconds unless the name says otherwise. */
export const limits = {
  pageSize: 10,
  maxPageSize: 100,
  requestTimeout: 60_000,
  /** After how long a call is tried again that found too many others, or a service that is away. */
  retryAfterSeconds: 2,
  maxJsonBody: 1024 * 1024,
  /** Of whoever has no token. */
  maxAnonymousBody: 64 * 1024,

  passwordMinLength: 8,
  passwordMaxLength: 128,
  nameMaxLength: 255,
  noteMaxLength: 2000,
  emailMaxLength: 254,
  loginUserIdMaxLength: 64,
  jsonMaxLength: 65_536,
  maxGroupsPerRequest: 1000,
  maxIdsPerDelete: 1000,
  maxDeviceCount: 1000,

  maxFileSize: 2 * 1024 ** 3,
  fileNameMaxBytes: 255,
  maxImportSize: 512 * 1024 ** 2,
  /** Characters. */
  csvRecordMaxLength: 512 * 1024,
  maxImportRows: 1_000_000,
  importLinesShown: 100,
  /** Bad lines that are told of one import; no more are looked for. */
  importLinesKept: 10_000,
  /** Imports of a tenant that are over and still known. */
  importsKept: 20,
  importRetention: 24 * 3_600_000,
  importErrorRetention: 7 * 24 * 3_600_000,
  maxIconSize: 1024 * 1024,
  reservationLeadTime: 10 * 60_000,
  uploadLifetime: 24 * 3_600_000,
  uploadStallTimeout: 60_000,
  deletedBytesRetention: 7 * 24 * 3_600_000,
  signedUrlLifetime: 3_600_000,
  /** Of addresses of the store itself, which cannot be taken back. */
  storeUrlLifetime: 10 * 60_000,
  maxOpenUploads: 100,
  assignmentAttempts: 5,
  assignmentRetryDelay: 1_500,

  accessTokenLifetimeSeconds: 3600,
  wrongPasswordsBeforeLock: 10,
  resetMailsPerHour: 3,
  knownDevicesPerAccount: 20,
  knownDeviceRetention: 90 * 24 * 3_600_000,
  passwordLinkLifetime: 24 * 3_600_000,
  lockDuration: 15 * 60_000,
  licenceGracePeriod: 24 * 3_600_000,
  idempotencyRetention: 24 * 3_600_000,
  operationLogRetentionDays: 400,
  usageDays: 30,
  exportRetention: 24 * 3_600_000,
  /** An export that nothing is heard of for so long is dead. */
  exportSilence: 120_000,
  exportPollDelay: 3_000,
} as const;

export const packageExtensions = ['.uap', '.ufpz'] as const;

/** The largest id that the database can hold; anything above it cannot exist. */
export const maxId = 2_147_483_647;
