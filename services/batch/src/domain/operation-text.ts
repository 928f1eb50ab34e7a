import { errorCatalogue, isErrorCode, type Language, operationLabels } from '@portal/contracts';

/** What became of an operation, after its label. */
const endings = {
  refused: { ja: 'が拒否されました: ', en: ' refused: ' },
  failed: { ja: 'に失敗しました: ', en: ' failed: ' },
} as const;

/** The error code of a result, or null if it is a status of success. */
export function codeOf(result: string): string | null {
  return /^[1-3]\d\d$/.test(result) ? null : result;
}

export function endingOf(code: string, language: Language): string {
  const ending = endings[code.startsWith('E5') ? 'failed' : 'refused'][language];
  return `${ending}${isErrorCode(code) ? errorCatalogue[code][language] : code}`;
}

/** An operation and what became of it, for people. */
export function operationText(operation: string, result: string, language: Language): string {
  const label = operationLabels[operation]?.[language] ?? operation;
  const code = codeOf(result);
  return code === null ? label : `${label}${endingOf(code, language)}`;
}
