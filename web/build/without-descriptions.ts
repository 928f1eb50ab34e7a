import { type Plugin, Visitor } from 'vite';

const words = /^(?:meta|describe)$/;
const contracts = /\/packages\/contracts\/src\//;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Those within another go with it. */
function edited(code: string, edits: readonly Edit[]): string {
  let result = '';
  let until = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start < until) continue;
    result += code.slice(until, start) + text;
    until = end;
  }
  return result + code.slice(until);
}

/**
 * Leaves out what contracts say for the documents of the server alone: the `summary` of each call, the `.meta()` and `.describe()` of its fields. In
 * the client they are a third of the contracts, which every first screen loads.
 */
export function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    apply: 'build',
    transform: {
      filter: { id: contracts },
      handler(code) {
        const edits: Edit[] = [];
        const visitor = new Visitor({
          CallExpression({ callee, end }) {
            if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
            if (words.test(callee.property.name)) edits.push({ start: callee.object.end, end, text: '' });
          },
          Property({ key, shorthand, value: { start, end } }) {
            if (key.type === 'Identifier' && key.name === 'summary' && !shorthand)
              edits.push({ start, end, text: "''" });
          },
        });
        visitor.visit(this.parse(code));
        return edits.length > 0 ? { code: edited(code, edits), map: null } : null;
      },
    },
  };
}
