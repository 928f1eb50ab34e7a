import { cp932Length, type Language, pushLimits } from '@portal/contracts';

const titles: Readonly<Record<Language, string>> = {
  ja: '新しいファイルが届きました',
  en: 'A new file is available',
};

/** What people are told of a file that was delivered to them: its name, as much of it as a notification holds. */
export function fileNotice(
  file: { readonly fileId: number; readonly name: string },
  language: Language,
): { readonly title: string; readonly message: string; readonly json: string } {
  return {
    title: titles[language],
    message: shortened(file.name, pushLimits.messageBytes),
    json: JSON.stringify({ file_id: file.fileId }),
  };
}

const ellipsis = '…';

function shortened(text: string, most: number): string {
  if (cp932Length(text) <= most) return text;
  let kept = '';
  let left = most - cp932Length(ellipsis);
  for (const character of text) {
    left -= cp932Length(character);
    if (left < 0) break;
    kept += character;
  }
  return kept + ellipsis;
}
