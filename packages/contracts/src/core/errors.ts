/**
 * Every code that the product may answer. The first three digits are its HTTP status; its message is in `messages.ts`, which a
 * browser loads once there is something to tell. Source: specification, section 8.
 */
export const errorCodes = [
  'E40001',
  'E40002',
  'E40003',
  'E40004',
  'E40005',
  'E40006',
  'E40007',
  'E40008',
  'E40009',
  'E40010',
  'E40014',
  'E40015',
  'E40016',
  'E40017',
  'E40018',
  'E40019',
  'E40020',
  'E40021',
  'E40022',
  'E40023',
  'E40024',
  'E40025',
  'E40026',
  'E40027',
  'E40028',
  'E40029',
  'E40030',
  'E40031',
  'E40032',
  'E40033',
  'E40034',
  'E40035',
  'E40036',
  'E40037',
  'E40101',
  'E40102',
  'E40103',
  'E40301',
  'E40302',
  'E40304',
  'E40305',
  'E40306',
  'E40307',
  'E40310',
  'E40311',
  'E40312',
  'E40401',
  'E40402',
  'E40403',
  'E40404',
  'E40405',
  'E50001',
  'E50301',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export const languages = ['ja', 'en'] as const;
export type Language = (typeof languages)[number];

/** The message of `E50001`, and of an outage, which has no answer that could bring it. */
export const serverErrorMessage = {
  ja: 'サーバーでエラーが発生しました。',
  en: 'Internal server error.',
} as const satisfies Record<Language, string>;

/** The HTTP status of a code: its first three digits. */
export function statusOf(code: ErrorCode): number {
  return Number(code.slice(1, 4));
}

export function isErrorCode(value: string): value is ErrorCode {
  return errorCodes.some((code) => code === value);
}
