import type { RouteContract, SuccessStatus } from '@portal/contracts';
import type { z } from 'zod';

/** An answer with one of the statuses that the contract declares. */
export class Answer<S extends SuccessStatus = SuccessStatus, V = unknown> {
  readonly status: S;
  readonly value: V;
  /** Of what the answer shows, for its `ETag`; letters, digits, `_`, `.`, `:` and `-`. */
  readonly version: string | undefined;
  /** Where what was made is, as an absolute address. */
  readonly location: string | undefined;

  constructor(status: S, value: V, options: { version?: string; location?: string } = {}) {
    this.status = status;
    this.value = value;
    this.version = options.version;
    this.location = options.location;
  }
}

/** An answer that is JSON as it is to be sent, with names that are not ours: of what a customer stored. The kit looks at nothing in it. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

type StatusOf<C extends RouteContract> = keyof C['replies'] & SuccessStatus;

/** What a handler may answer: the value of its contract's own status, or an `Answer` with any that is declared. */
export type HandlerReply<C extends RouteContract> =
  | z.input<C['response']>
  | { [S in StatusOf<C>]: Answer<S, z.input<NonNullable<C['replies'][S]>> | WrittenJson> }[StatusOf<C>]
  | HtmlPage;

/** What a page may do beside being shown. */
export interface PageOptions {
  /** The one script that runs, as it stands between its tags. */
  readonly script?: string;
  /** The origin to which its form goes, and from there by https wherever it is sent on. */
  readonly formTo?: string;
}

/** An answer that a browser shows as a page. No script runs in it, and no form is sent, but those of `options`. */
export class HtmlPage {
  readonly html: string;
  readonly options: PageOptions;

  constructor(html: string, options: PageOptions = {}) {
    this.html = html;
    this.options = options;
  }
}
