import { useTranslation } from 'react-i18next';
import type { CodeProblem } from '../../../ui/code/code-editor.tsx';
import { documentProblems } from './document-problems.ts';

/** What is wrong with the text of a document, in words. */
export function useProblemsOf(): (text: string) => readonly CodeProblem[] {
  const { t } = useTranslation('documents');
  return (text) =>
    documentProblems(text).map(({ fault, from, key = '', to }) => ({
      from,
      to,
      message: t(`faults.${fault}`, { key }),
    }));
}

/** The line of a place in a text, from 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
