import { errorCatalogue, fieldMessages, operationLabels } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { en } from '../src/i18n/en/index.ts';
import { ja } from '../src/i18n/ja/index.ts';

function textsOf(tree: object, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') texts.set(name, value);
    else for (const [inner, text] of textsOf(value, name)) texts.set(inner, text);
  }
  return texts;
}

const placeholders = (text: string | undefined) => (text?.match(/\{\{\w+(, \w+)?\}\}/g) ?? []).sort();

describe('the two languages', () => {
  const japanese = textsOf(ja);
  const english = textsOf(en);

  it('have the same keys, none empty', () => {
    // Japanese has one form for any number.
    const needed = [...japanese.keys()].flatMap((key) =>
      key.endsWith('_other') ? [key.replace(/other$/, 'one'), key] : [key],
    );
    expect([...english.keys()].sort()).toEqual(needed.sort());
    for (const [key, text] of [...japanese, ...english]) expect(text, key).not.toBe('');
  });

  it('fill the same placeholders', () => {
    for (const [key, text] of japanese)
      expect(placeholders(english.get(key)), key).toEqual(placeholders(text));
  });

  it('count in the right number', () => {
    // What is said of many is not said of one.
    const ofMany = /(_other|Many)$/;
    const wrong = [...english].filter(
      ([key, text]) => !ofMany.test(key) && /\{\{\w+(, \w+)?\}\} (company )?(?!has|is|was)\w+s\b/.test(text),
    );
    expect(wrong).toEqual([]);
  });

  it('name on one page what they name on the page that it leads to', () => {
    for (const { databases, documents, partners, summary } of [ja, en]) {
      expect(summary.docdb.states).toEqual(documents.statuses);
      expect(databases.choosePartner.toLowerCase()).toContain(partners.code.toLowerCase());
    }
  });

  it('name what a role gives away as the pages of it are named', () => {
    for (const { administrators, applications, tenantMenu } of [ja, en]) {
      const { fileadmin, groupadmin, tenantadmin } = administrators.means;
      const { certifications, documents, licenceLog, operationLog, sso } = tenantMenu;
      const untold = (text: string, names: string[]) =>
        names.filter((name) => !text.toLowerCase().includes(name.toLowerCase()));
      expect(untold(fileadmin, [applications.title])).toEqual([]);
      expect(untold(groupadmin, [certifications])).toEqual([]);
      expect(untold(tenantadmin, [sso, documents, licenceLog, operationLog])).toEqual([]);
    }
  });

  it('have one word for one thing, with the server', () => {
    const server = { errorCatalogue, fieldMessages, operationLabels };
    const textsIn = (screens: Map<string, string>, language: 'en' | 'ja') =>
      [...screens, ...textsOf(server)].filter(([key]) => screens.has(key) || key.endsWith(`.${language}`));
    const others = {
      en: /licence|e-mail|\bmails?\b|log-?in page|\btenants\b|\bpartners?\b(?!\.csv)/i,
      ja: /サインイン|管理画面|フリープラン|無料アカウント/,
    };
    expect(textsIn(english, 'en').filter(([, text]) => others.en.test(text))).toEqual([]);
    expect(textsIn(japanese, 'ja').filter(([, text]) => others.ja.test(text))).toEqual([]);
  });

  it('are not left untranslated', () => {
    const foreign = [...english].filter(
      ([key, text]) => /[ぁ-んァ-ヶ一-龠]/.test(text) && key !== 'shell.switchTo',
    );
    expect(foreign).toEqual([]);
  });
});
