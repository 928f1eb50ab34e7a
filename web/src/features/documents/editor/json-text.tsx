import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { type Json, prettyJson } from './json.ts';

/** So many lines of a document are shown at first. */
const firstLines = 40;
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false)\b|\bnull\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

interface Part {
  readonly text: string;
  readonly kind?: 'key' | 'string' | 'number' | 'boolean' | 'null';
}

/** The parts of a line of JSON that has been written by `JSON.stringify`. */
function partsOf(line: string): readonly Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of line.matchAll(token)) {
    const [text, quoted, colon] = found;
    if (found.index > end) parts.push({ text: line.slice(end, found.index) });
    if (quoted !== undefined && colon !== undefined) {
      parts.push({ text: quoted, kind: 'key' }, { text: colon });
    } else if (quoted !== undefined) parts.push({ text, kind: 'string' });
    else if (text === 'null') parts.push({ text, kind: 'null' });
    else parts.push({ text, kind: text === 'true' || text === 'false' ? 'boolean' : 'number' });
    end = found.index + text.length;
  }
  if (end < line.length) parts.push({ text: line.slice(end) });
  return parts;
}

/** A document as it is, to be read. */
export function JsonText({ label, value }: { label: string; value: Json }) {
  const { t } = useTranslation('documents');
  const [isWhole, setIsWhole] = useState(false);
  const lines = prettyJson(value).split('\n');
  const shown = isWhole ? lines : lines.slice(0, firstLines);
  return (
    <>
      <chakra.pre
        aria-label={label}
        role="group"
        fontFamily="mono"
        fontSize="0.8125rem"
        lineHeight="1.6"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        css={{
          '& .key': { fontWeight: 'semibold' },
          '& .string': { color: 'success.fg' },
          '& .number': { color: 'accent.fg' },
          '& .boolean': { color: 'warning.fg' },
          '& .null': { color: 'fg.muted', fontStyle: 'italic' },
        }}
      >
        {shown.map((line, index) => (
          <span key={index}>
            {partsOf(line).map(({ kind, text }, at) =>
              kind ? (
                <span key={at} className={kind}>
                  {text}
                </span>
              ) : (
                text
              ),
            )}
            {'\n'}
          </span>
        ))}
      </chakra.pre>
      {shown.length < lines.length && (
        <Button size="xs" variant="ghost" mt="1" onClick={() => setIsWhole(true)}>
          {t('moreLines', { count: lines.length - shown.length })}
        </Button>
      )}
    </>
  );
}
