import { fieldErrorsOf, limits } from '@portal/contracts';
import { describe, expect, it } from 'vitest';
import { packageFault, packageFile } from './package-rules.ts';

const faults = (schema: ReturnType<typeof packageFile>, value: unknown) => {
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? [] : fieldErrorsOf(result.error);
};

describe('a chosen package', () => {
  it('has a plain name with a known extension, some bytes, and at most 2 GiB', () => {
    const fault = (name: string, size = 1) => packageFault({ name, size });
    expect(fault('tour.uap')).toBeUndefined();
    expect(fault('TOUR.UFPZ', limits.maxFileSize)).toBeUndefined();
    expect(fault('tour.zip')).toBe('fileExtension');
    expect(fault('.uap')).toBe('fileExtension');
    expect(fault('a/b.uap')).toBe('fileName');
    expect(fault(`${'あ'.repeat(90)}.uap`)).toBe('fileName');
    expect(fault('tour.uap', 0)).toBe('fileEmpty');
    expect(fault('tour.uap', limits.maxFileSize + 1)).toBe('fileTooLarge');
  });

  it('that is missing is told with its kind, where it is required', () => {
    expect(faults(packageFile({ requiredKind: 'パッケージ' }), undefined)).toEqual([
      { field: '', message: 'fileRequired', params: { kind: 'パッケージ' } },
    ]);
    expect(faults(packageFile({}), undefined)).toEqual([]);
  });

  it('that is a new version keeps the name', () => {
    const schema = packageFile({ sameNameAs: 'tour.uap' });
    expect(faults(schema, new File(['x'], 'tour.uap'))).toEqual([]);
    expect(faults(schema, new File(['x'], 'tour2.uap'))).toEqual([
      { field: '', message: 'fileNameChanged', params: { filename: 'tour.uap' } },
    ]);
  });
});
