/** The person took the upload back. */
export class UploadCancelled extends Error {}
