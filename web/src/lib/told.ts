import { clientMessages } from '@portal/api-client';
import { errorCatalogue, fieldMessages, type Language, languages } from '@portal/contracts';

type Template = Readonly<Record<Language, string>>;

const templates: readonly Template[] = [
  ...Object.values(errorCatalogue),
  ...Object.values(fieldMessages),
  ...Object.values(clientMessages),
];

const placeholder = /\{(\w+)\}/g;

/** A template as what its texts look like, each placeholder a group of its name. */
function patternOf(template: string): RegExp {
  const literals = template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const names = [...template.matchAll(placeholder)].map(([, name]) => `(?<${name}>.+)`);
  return new RegExp(`^${literals.map((part, index) => part + (names[index] ?? '')).join('')}$`, 's');
}

let patterns: readonly { readonly template: Template; readonly pattern: RegExp }[] | undefined;

/**
 * What a failure told, in `language`: the server answers in the language of the request, with the texts that the client
 * knows too. One that it does not know stays as it came.
 */
export function toldIn(language: Language, text: string): string {
  patterns ??= templates.flatMap((template) =>
    languages.map((one) => ({ template, pattern: patternOf(template[one]) })),
  );
  for (const { template, pattern } of patterns) {
    const match = pattern.exec(text);
    if (match)
      return template[language].replace(placeholder, (_, name: string) => match.groups?.[name] ?? '');
  }
  return text;
}
