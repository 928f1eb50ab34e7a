import { type PythonTool, preparePythonTool } from './python-tool.ts';

/** A program that tests an HTTP API by its OpenAPI document. */
export interface Schemathesis extends PythonTool {
  /** What comes before its own arguments. */
  readonly args: readonly string[];
}

/** Installs schemathesis. Throws as `preparePythonTool`. */
export async function prepareSchemathesis(): Promise<Schemathesis> {
  return { ...(await preparePythonTool('schemathesis')), args: ['-m', 'schemathesis.cli'] };
}
