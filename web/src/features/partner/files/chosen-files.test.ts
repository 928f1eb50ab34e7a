import { expect, it } from 'vitest';
import { withFiles, withoutFile } from './chosen-files.ts';

const file = (name: string) => new File(['x'], name);
const namesOf = (files: readonly File[]) => files.map(({ name }) => name);

it('A name follows its file until it is typed', () => {
  const first = withFiles({ files: [], names: [''] }, [file('tour.uap')]);
  expect(first.names).toEqual(['tour']);
  const replaced = withFiles(withoutFile(first, 0), [file('guide.uap')]);
  expect(replaced.names).toEqual(['guide']);
  const typed = { ...replaced, names: ['City guide'] };
  expect(withFiles(withoutFile(typed, 0), [file('tour.uap')]).names).toEqual(['City guide']);
  expect(withFiles({ files: [], names: ['Typed first'] }, [file('tour.uap')]).names).toEqual(['Typed first']);
});

it('Several files have a name each, and one of the same file name takes the place of the one before', () => {
  const several = withFiles({ files: [], names: [''] }, [file('a.uap'), file('b.ufpz'), file('c.d.uap')]);
  expect(several.names).toEqual(['a', 'b', 'c.d']);
  const again = withFiles({ ...several, names: ['a', 'Typed', 'c.d'] }, [file('b.ufpz')]);
  expect(namesOf(again.files)).toEqual(['a.uap', 'b.ufpz', 'c.d.uap']);
  expect(again.names).toEqual(['a', 'Typed', 'c.d']);
  const less = withoutFile(again, 0);
  expect(namesOf(less.files)).toEqual(['b.ufpz', 'c.d.uap']);
  expect(less.names).toEqual(['Typed', 'c.d']);
});
