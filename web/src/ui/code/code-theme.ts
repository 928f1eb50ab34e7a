import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** A colour of the theme: it follows light and dark by itself. */
const colour = (name: string) => `var(--portal-colors-${name})`;

const look = EditorView.theme({
  '&': { color: colour('fg'), backgroundColor: colour('bg-panel'), fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--portal-fonts-mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: colour('fg'), padding: '0.375rem 0' },
  '.cm-line': { padding: '0 0.625rem' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: colour('fg') },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: `${colour('accent-emphasized')} !important`,
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: colour('bg-subtle') },
  '.cm-gutters': {
    backgroundColor: colour('bg-subtle'),
    color: colour('fg-muted'),
    borderRight: `1px solid ${colour('border-muted')}`,
  },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { backgroundColor: colour('bg-muted'), color: colour('fg') },
  '.cm-foldPlaceholder': {
    backgroundColor: colour('bg-muted'),
    border: 'none',
    color: colour('fg-muted'),
    padding: '0 0.375rem',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: colour('accent-muted'), outline: 'none' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: colour('danger-muted') },
  '.cm-placeholder': { color: colour('fg-subtle') },
  '.cm-tooltip': {
    backgroundColor: colour('bg-panel'),
    color: colour('fg'),
    border: `1px solid ${colour('border')}`,
    borderRadius: 'var(--portal-radii-md)',
    boxShadow: 'var(--portal-shadows-md)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--portal-fonts-mono)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '0.5rem',
    minHeight: '1.75rem',
    padding: '0 0.625rem',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: colour('accent-subtle'),
    color: colour('accent-fg'),
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    paddingLeft: '1rem',
    fontStyle: 'normal',
    fontFamily: 'var(--portal-fonts-body)',
    fontSize: '0.75rem',
    color: colour('fg-muted'),
  },
  '.cm-diagnostic': { padding: '0.375rem 0.75rem', fontFamily: 'var(--portal-fonts-body)' },
  '.cm-diagnostic-error': { borderLeft: `4px solid ${colour('border-error')}` },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: `underline wavy ${colour('border-error')}`,
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error::after': { borderBottomColor: colour('border-error') },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine, .cm-deletedLine': {
    backgroundColor: `${colour('bg-error')} !important`,
  },
  '.cm-changedLine, .cm-insertedLine, &.cm-merge-b .cm-changedLine': {
    backgroundColor: `${colour('bg-success')} !important`,
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: `${colour('danger-muted')} !important`,
  },
  '&.cm-merge-b .cm-changedText': { background: `${colour('success-muted')} !important` },
  '.cm-collapsedLines': {
    background: colour('bg-muted'),
    color: colour('fg-muted'),
    padding: '0.125rem 0.75rem',
  },
});

/** Keys, and values by their type: the same colours as in the table of documents. */
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: colour('fg'), fontWeight: '600' },
  { tag: tags.string, color: colour('success-fg') },
  { tag: tags.number, color: colour('accent-fg') },
  { tag: tags.bool, color: colour('warning-fg') },
  { tag: tags.null, color: colour('fg-muted'), fontStyle: 'italic' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: colour('fg-muted') },
]);

export const codeTheme: Extension = [look, syntaxHighlighting(colours)];
