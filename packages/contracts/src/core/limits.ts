/** Business limits. Sizes are bytes, durations milliseconds unless the name says otherwise. */
export const limits = {
  pageSize: 10,
  maxPageSize: 100,
  searchMaxLength: 255,
  requestTimeout: 60_000,
  /** When to retry a call that was refused because of too many others, or an unavailable service. */
  retryAfterSeconds: 2,
  maxJsonBody: 1024 * 1024,
  /** Far more than the names of any contract need. */
  maxJsonDepth: 64,
  /** Of callers without a token. */
  maxAnonymousBody: 64 * 1024,

  passwordMinLength: 8,
  passwordMaxLength: 128,
  nameMaxLength: 255,
  /** Of the first and of the last name of somebody who signs up. */
  personNameMaxLength: 100,
  noteMaxLength: 2000,
  emailMaxLength: 254,
  loginUserIdMaxLength: 64,
  jsonMaxLength: 65_536,
  maxGroupsPerRequest: 1000,
  maxIdsPerDelete: 1000,
  /** Whom a filter selects for one change: all is done within a request, or nothing. */
  maxSelected: 200_000,
  maxDeviceCount: 1000,
  /** Of a unit. */
  maxAllocatedLicense: 10_000_000,
  /** Of a partner. */
  maxLicenseCount: 1_000_000,
  maxUapFileLimit: 1_000_000,
  partnerCodeMaxLength: 32,
  contactMaxLength: 255,
  maxManagers: 10,
  managersMaxLength: 1000,
  /** How far ahead and back the home of administrators looks, in days, and how many partners it names. */
  overviewDays: 30,
  overviewPartners: 10,

  maxFileSize: 2 * 1024 ** 3,
  fileNameMaxBytes: 255,
  maxImportSize: 512 * 1024 ** 2,
  /** People whom one event tells of. */
  peopleOfEvent: 500,
  /** Mails that one event asks for: together they are less than a broker takes. */
  mailsOfEvent: 100,
  /** Characters. */
  csvRecordMaxLength: 512 * 1024,
  maxImportRows: 1_000_000,
  importLinesShown: 100,
  /** Bad lines that one import reports; the check stops after them. */
  importLinesKept: 10_000,
  /** Finished imports of a tenant that are kept. */
  importsKept: 20,
  /** People whom they changed together, as long as there is more than one. */
  importChangesKept: 200_000,
  /** Characters of a value, before and after, that an import shows. */
  importValueMaxLength: 1_000,
  importRetention: 24 * 3_600_000,
  importErrorRetention: 7 * 24 * 3_600_000,
  maxIconSize: 1024 * 1024,
  reservationLeadTime: 10 * 60_000,
  /** Of an upload, since its last part. */
  uploadLifetime: 24 * 3_600_000,
  /** An upload whose last bytes are older has been interrupted. */
  uploadPause: 2 * 60_000,
  uploadStallTimeout: 60_000,
  deletedBytesRetention: 7 * 24 * 3_600_000,
  /** How long what devices told of a file stays after its deletion: some come back late. */
  deletedReceiptsRetention: 30 * 24 * 3_600_000,
  receiptReasonMaxLength: 500,
  /** How far ahead the clock of a device may be. */
  receiptClockSkew: 5 * 60_000,
  /** How long the event of a device may take that tells something already. */
  earlyReceiptLifetime: 24 * 3_600_000,
  versionsKept: 10,
  /** Of one rollout. */
  maxStages: 10,
  /** After which a stage begins by itself. */
  maxStageWait: 90 * 24 * 3_600_000,
  maxStageReports: 1_000_000,
  maxVersionsKept: 50,
  /** How long the bytes of a version stay that is not among those kept any more. */
  formerBytesRetention: 7 * 24 * 3_600_000,
  /** Of each effect of a change: people whose names a preview tells. */
  previewNames: 20,
  previewLifetime: 15 * 60_000,
  previewTokenMaxLength: 255,
  /** How long a change waits for another admin. */
  approvalLifetime: 7 * 24 * 3_600_000,
  approvalCommentMaxLength: 500,
  /** How far apart the ends of what the calendar is asked for may be, and how far ahead its file looks, in days. */
  calendarDays: 400,
  calendarFileDaysBack: 90,
  /** What one answer of the calendar has at most. */
  calendarEntries: 5_000,
  signedUrlLifetime: 3_600_000,
  /** For addresses of the store itself, which cannot be revoked. */
  storeUrlLifetime: 10 * 60_000,
  maxOpenUploads: 100,
  /** Tenants that an application names. */
  maxDestinations: 10_000,
  assignmentAttempts: 5,
  assignmentRetryDelay: 1_500,

  accessTokenLifetimeSeconds: 3600,
  wrongPasswordsBeforeLock: 10,
  /** Bytes of JSON, of each person. */
  maxPreferences: 64 * 1024,
  recoveryCodes: 10,
  /** A right password waits so long for its code. */
  challengeLifetime: 5 * 60_000,
  triesPerChallenge: 5,
  resetMailsPerHour: 3,
  knownDevicesPerAccount: 20,
  knownDeviceRetention: 90 * 24 * 3_600_000,
  passwordLinkLifetime: 24 * 3_600_000,
  /** Of a browser that is at an identity provider. */
  identityFlowLifetime: 10 * 60_000,
  /** Of one address, of all its sign-up calls together. */
  signUpsPerHour: 10,
  activationLinkLifetime: 24 * 3_600_000,
  /** A company that was never activated is deleted after it. */
  unactivatedRetention: 7 * 24 * 3_600_000,
  lockDuration: 15 * 60_000,
  licenceGracePeriod: 24 * 3_600_000,
  idempotencyRetention: 24 * 3_600_000,
  operationLogRetentionDays: 400,
  usageDays: 30,
  exportRetention: 24 * 3_600_000,
  /** An export of which nobody tells for so long, neither that it is written nor that it waits, has died. */
  exportSilence: 120_000,
  exportPollDelay: 3_000,
  noticeRetention: 30 * 24 * 3_600_000,
  /** Before the end of a licence those who are in charge of the company get a mail, in days; each once. */
  licenceReminderDays: [30, 7, 1],
  /** Its company admins are told at the same time in the portal. */
  licenceNoticeDays: [30, 7],
  /** Streams of events that a session may have open. */
  streamsPerSession: 3,
  streamHeartbeat: 20_000,
} as const;

export const packageExtensions = ['.uap', '.ufpz'] as const;

/** The largest id that the database can hold; anything above it cannot exist. */
export const maxId = 2_147_483_647;
