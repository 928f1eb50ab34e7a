import { type Filter, invalid, type Json, type Path } from '../filter/filter.ts';
import { isMoment } from './moments.ts';

/**
 * Refuses what FerretDB answers wrongly, found by the contract suite; MongoDB's answer is the right one. It is where MongoDB
 * itself cannot be had: in tests on machines without Docker.
 */
export function refuseWrongAnswers(filter: Filter): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.parts) refuseWrongAnswers(part);
      return;
    case 'not':
      refuseWrongAnswers(filter.part);
      return;
    case 'equal':
      refuseValue(filter.path, filter.value);
      return;
    case 'in':
      for (const value of filter.values) refuseValue(filter.path, value);
      return;
    case 'matches':
      // It knows no expressions, which tell what is answered of a moment.
      if (isMoment(filter.path)) throw invalid();
      return;
    default:
  }
}

function refuseValue(path: Path, value: Json): void {
  // It looks for no whole object or array among the elements of an array.
  if (typeof value === 'object' && value !== null) throw invalid();
  // It takes an array for null where a path goes on behind it, and misses what one of several objects lacks.
  if (value === null && path.length > 1) throw invalid();
}
