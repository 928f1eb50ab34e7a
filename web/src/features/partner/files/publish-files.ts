import { type ApiClient, ApiError, newTraceId } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import { chosenFileOf } from '../../../components/upload/chosen-file.ts';
import { asApiError, isTransient } from '../../../lib/api.ts';
import { groupIdsOf } from './assign/audience-choice.tsx';
import type { FileCreateValues } from './file-flows.ts';
import type { UploadToBegin } from './upload/use-begin-upload.ts';

interface Publishing {
  readonly pid: number;
  /** The same for the same values that are tried again. */
  readonly idempotencyKey: string;
  readonly begin: (upload: UploadToBegin) => Promise<void>;
}

interface Published {
  /** The records that were made, whose uploads have begun. */
  readonly created: readonly { readonly id: number; readonly name: string }[];
  /** What was refused, with the values of those files alone; its errors are at their fields. */
  readonly refused: { readonly values: FileCreateValues; readonly error: ApiError } | undefined;
}

/**
 * Makes a record of each file and begins its upload. A file that is refused does not keep the others: those go on. Where the server
 * cannot be reached, the rest is not tried.
 */
export async function publishFiles(
  api: ApiClient,
  { begin, idempotencyKey, pid }: Publishing,
  values: FileCreateValues,
): Promise<Published> {
  const { deliverReservationAt, files, names, note, notifyEmail, notifyPush, to } = values;
  const groupIds = groupIdsOf(to, values.groupIds);
  const created: { id: number; name: string }[] = [];
  const refused: { index: number; error: ApiError }[] = [];
  let isReachable = true;

  for (const [index, file] of files.entries()) {
    const name = names[index] ?? '';
    const traceId = newTraceId();
    if (!isReachable) {
      refused.push({ index, error: refused[0]?.error ?? asApiError(undefined) });
      continue;
    }
    try {
      const body = {
        name,
        note,
        ...(await chosenFileOf(file)),
        deliverReservationAt: deliverReservationAt || null,
      };
      const { partnerFileId, partSize, uploadId } = await api.call(fileRoutes.createFile, {
        params: { pid },
        body,
        idempotencyKey: files.length === 1 ? idempotencyKey : keyOf(idempotencyKey, file),
        traceId,
      });
      const bytes = { file, partSize, traceId, storedBytes: 0 };
      await begin({
        fileId: partnerFileId,
        uploadId,
        name,
        traceId,
        bytes,
        groupIds,
        notifyEmail,
        notifyPush,
      });
      created.push({ id: partnerFileId, name });
    } catch (error) {
      const failure = asApiError(error);
      isReachable = !isTransient(failure);
      refused.push({ index, error: failure });
    }
  }
  if (refused.length === 0) return { created, refused: undefined };

  const rest = refused.map(({ index }) => index);
  return {
    created,
    refused: {
      values: {
        ...values,
        files: rest.map((index) => files[index]).filter((file) => file !== undefined),
        names: rest.map((index) => names[index] ?? ''),
      },
      error: together(refused.map(({ error }) => error)),
    },
  };
}

/** A key of one file among several; a key has at most 255 characters. */
const keyOf = (key: string, { name, size }: File) => `${key}-${size}-${encodeURIComponent(name).slice(-200)}`;

/** What the server calls a field of a file, and what the form does; the rest is said of the file. */
const fieldsOfForm: Readonly<Record<string, string>> = {
  name: 'names',
  file_name: 'files',
  fileName: 'files',
};
const ofForm = ['note', 'deliverReservationAt'];

/** The errors of several files as one, each at the field of its file. */
function together(errors: readonly ApiError[]): ApiError {
  const [{ code, message, requestId, status, cause } = asApiError(undefined)] = errors;
  const fields = errors.flatMap((error, index) =>
    isTransient(error)
      ? []
      : (error.fields.length > 0 ? error.fields : [{ field: 'file', message: error.message }]).map((one) => ({
          field: ofForm.includes(one.field) ? one.field : `${fieldsOfForm[one.field] ?? 'files'}.${index}`,
          message: one.message,
        })),
  );
  return new ApiError({ code, message, status, requestId, fields, cause });
}
