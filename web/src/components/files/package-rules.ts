import { type FieldMessageKey, fileName, isPackageName, limits } from '@portal/contracts';
import { z } from 'zod';

/** What is wrong with a chosen package, before any byte of it is sent. */
export function packageFault({ name, size }: Pick<File, 'name' | 'size'>): FieldMessageKey | undefined {
  if (!fileName.safeParse(name).success) return 'fileName';
  if (!isPackageName(name)) return 'fileExtension';
  if (size === 0) return 'fileEmpty';
  return size > limits.maxFileSize ? 'fileTooLarge' : undefined;
}

interface PackageRule {
  /** The kind that the message names where the file is missing; without one the file may be left out. */
  requiredKind?: string;
  /** The name that the file must have. */
  sameNameAs?: string;
}

/** A chosen file of a form. */
export const packageFile = ({ requiredKind, sameNameAs }: PackageRule) =>
  z.custom<File | undefined>().superRefine((file, context) => {
    if (!(file instanceof File)) {
      if (requiredKind !== undefined) {
        context.addIssue({ code: 'custom', message: 'fileRequired', params: { kind: requiredKind } });
      }
      return;
    }
    if (sameNameAs !== undefined && file.name !== sameNameAs) {
      context.addIssue({ code: 'custom', message: 'fileNameChanged', params: { filename: sameNameAs } });
      return;
    }
    const fault = packageFault(file);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  });
