import { ApiError } from '@portal/api-client';

/** The same failure with its fields under the names that a form has for them. */
function withFields(error: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, status, message, requestId, cause } = error;
  const fields = error.fields.map(({ field, message: said }) => ({
    field: names[field] ?? field,
    message: said,
  }));
  return new ApiError({ code, status, message, requestId, fields, cause });
}

/** Everything that the server says of the chosen file stands at the field where it is chosen. */
export const ofFile = { fileName: 'file', fileSize: 'file' };
export const ofUpdateFile = {
  file: 'updateFile',
  fileName: 'updateFile',
  fileSize: 'updateFile',
  rollout: 'updateRollout',
};

/** Runs `work`; what it fails with names its fields as the form does. */
export async function atFields<T>(
  names: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withFields(error, names);
  }
}
