import { autocompletion, type Completion, startCompletion } from '@codemirror/autocomplete';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { suggest } from './filter-suggestions.ts';
import type { KnownField } from './known-fields.ts';

interface CompletionTexts {
  readonly list: string;
  readonly kindOf: (kind: 'field' | 'operator' | 'value') => string;
}

/** Suggests fields, operators and values while a filter is written. */
export function filterCompletion(fields: () => readonly KnownField[], texts: CompletionTexts): Extension {
  return [
    EditorState.phrases.of({ Completions: texts.list }),
    autocompletion({
      icons: false,
      override: [
        ({ pos, state, explicit }) => {
          const text = state.doc.toString();
          const { from, suggestions } = suggest(text.slice(0, pos), text.slice(pos), fields());
          if (suggestions.length === 0 || (text.trim() === '' && !explicit)) return null;
          return {
            from,
            filter: false,
            options: suggestions.map(
              ({ cursor, insert, kind, label }): Completion => ({
                label,
                detail: texts.kindOf(kind),
                apply(view, _, start, end) {
                  view.dispatch({
                    changes: { from: start, to: end, insert },
                    selection: { anchor: start + cursor },
                    userEvent: 'input.complete',
                  });
                  // Behind a field comes its value.
                  if (kind !== 'value') setTimeout(() => startCompletion(view));
                },
              }),
            ),
          };
        },
      ],
    }),
    // Who comes to the empty field sees what there is.
    EditorView.domEventHandlers({
      focus: (_, view) => {
        if (view.state.doc.length === 0) setTimeout(() => view.hasFocus && startCompletion(view), 50);
      },
    }),
  ];
}
