import { chakra } from '@chakra-ui/react';
import { json } from '@codemirror/lang-json';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';
import { codeTheme } from './code-theme.ts';

/** Lines around a change that stay; longer stretches without one are folded. */
const around = { margin: 3, minSize: 6 };

const shown = (label: string): Extension => [
  codeTheme,
  json(),
  lineNumbers(),
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
];

interface DifferenceProps {
  label: string;
  before: string;
  after: string;
  /** How the editor names the lines that it folds; `$` stands for their number. */
  unchangedLines: string;
}

/** What changes from one text to the other, in one column. */
export function Difference({ after, before, label, unchangedLines }: DifferenceProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          shown(label),
          EditorState.phrases.of({ '$ unchanged lines': unchangedLines }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            gutter: true,
            collapseUnchanged: around,
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [after, before, label, unchangedLines]);
  return <Frame place={place} />;
}

interface SideBySideProps extends Pick<DifferenceProps, 'unchangedLines'> {
  left: { readonly label: string; readonly text: string };
  right: { readonly label: string; readonly text: string };
}

/** Two versions beside each other, with what differs marked. */
export function SideBySide({ left, right, unchangedLines }: SideBySideProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const phrases = EditorState.phrases.of({ '$ unchanged lines': unchangedLines });
    const view = new MergeView({
      parent: place.current,
      a: { doc: left.text, extensions: [shown(left.label), phrases] },
      b: { doc: right.text, extensions: [shown(right.label), phrases] },
      collapseUnchanged: around,
      gutter: true,
    });
    return () => view.destroy();
  }, [left.label, left.text, right.label, right.text, unchangedLines]);
  return <Frame place={place} />;
}

function Frame({ place }: { place: RefObject<HTMLDivElement | null> }) {
  return (
    <chakra.div
      ref={place}
      borderWidth="1px"
      borderRadius="l2"
      overflow="auto"
      maxH="24rem"
      css={{
        '& .cm-mergeViewEditor + .cm-mergeViewEditor': {
          borderInlineStartWidth: '1px',
          borderColor: 'border',
        },
        '& .cm-editor': { minW: '0' },
      }}
    />
  );
}
