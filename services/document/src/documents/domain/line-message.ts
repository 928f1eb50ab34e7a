import { type FieldError, fieldMessage, type Language } from '@portal/contracts';

/** What an import tells of a bad line, in the language of its caller. */
export function lineMessage({ field, message, params }: FieldError, language: Language): string {
  const text = fieldMessage(message, language, params);
  return field === '' ? text : `${field}: ${text}`;
}
