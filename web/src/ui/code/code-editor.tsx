import { chakra } from '@chakra-ui/react';
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder as placeholderOf,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from './code-theme.ts';

export interface CodeProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

interface CodeEditorProps {
  /** What is written here, for screen readers. */
  label: string;
  id?: string;
  describedBy?: string | undefined;
  value: string;
  onChange?: (text: string) => void;
  /** What is wrong with the text; each is shown at its place. */
  problemsOf?: (text: string) => readonly CodeProblem[];
  /** One line that grows, without numbers. */
  oneLine?: boolean;
  readOnly?: boolean;
  invalid?: boolean;
  autoFocus?: boolean;
  placeholder?: string;
  /** Enter where it is one line, Ctrl+Enter elsewhere; Ctrl+S always. */
  onSubmit?: () => void;
  /** What it can besides. It is read once. */
  extensions?: Extension;
  height?: string;
}

/** Edits JSON. Tab leads on, as from every other field. */
export function CodeEditor({
  label,
  id,
  describedBy,
  value,
  onChange,
  problemsOf,
  oneLine = false,
  readOnly = false,
  invalid = false,
  autoFocus = false,
  placeholder,
  onSubmit,
  extensions,
  height,
}: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, onSubmit, problemsOf });
  latest.current = { onChange, onSubmit, problemsOf };
  const { current: changing } = useRef(new Compartment());

  const attributes = () =>
    EditorView.contentAttributes.of({
      'aria-label': label,
      ...(id !== undefined && { id }),
      ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
      ...(invalid && { 'aria-invalid': 'true' }),
      ...(readOnly && { 'aria-readonly': 'true' }),
      ...(oneLine && { 'aria-multiline': 'false' }),
      // Without it no key reaches what cannot be edited, however long it is.
      ...(readOnly && { tabindex: '0' }),
      // A dialog gives its focus to who asks for it this way.
      ...(autoFocus && { autofocus: '' }),
      spellcheck: 'false',
      autocapitalize: 'off',
    });

  useEffect(() => {
    if (!place.current) return;
    const submit = () => {
      latest.current.onSubmit?.();
      return latest.current.onSubmit !== undefined;
    };
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          codeTheme,
          json(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          indentOnInput(),
          EditorState.tabSize.of(2),
          EditorView.lineWrapping,
          changing.of(attributes()),
          EditorState.readOnly.of(readOnly),
          EditorView.editable.of(!readOnly),
          // Before the others: what it can besides may want the same keys first.
          extensions ?? [],
          keymap.of([
            { key: 'Mod-Enter', run: submit },
            { key: 'Mod-s', run: submit, preventDefault: true },
            ...(oneLine ? [{ key: 'Enter', run: submit }] : []),
          ]),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...lintKeymap,
          ]),
          oneLine
            ? []
            : [
                lineNumbers(),
                codeFolding(),
                foldGutter(),
                highlightActiveLine(),
                highlightActiveLineGutter(),
                ...(readOnly ? [] : [lintGutter()]),
              ],
          readOnly
            ? []
            : linter(
                ({ state }) =>
                  (latest.current.problemsOf?.(state.doc.toString()) ?? []).map(
                    (problem): Diagnostic => ({ ...problem, severity: 'error' }),
                  ),
                { delay: 250 },
              ),
          placeholder === undefined ? [] : placeholderOf(placeholder),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    if (autoFocus) view.focus();
    return () => view.destroy();
    // One editor as long as it is shown; what changes of it is below.
  }, []);

  useEffect(() => {
    editor.current?.dispatch({ effects: changing.reconfigure(attributes()) });
  }, [label, describedBy, invalid]);

  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);

  return (
    <chakra.div
      ref={place}
      borderWidth="1px"
      borderColor={invalid ? 'border.error' : 'border.control'}
      borderRadius="l2"
      overflow="hidden"
      minW="0"
      css={{
        '&:focus-within': { outline: '2px solid', outlineColor: 'accent.focusRing', outlineOffset: '-1px' },
        '& .cm-editor': { height: height ?? 'auto', maxHeight: oneLine ? '10rem' : undefined },
        '& .cm-scroller': { overflow: 'auto' },
      }}
    />
  );
}
