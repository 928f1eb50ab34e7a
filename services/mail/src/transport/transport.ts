/** A mail as it is sent. */
export interface Message {
  /** The same at every try, so that a server that has it already can tell. */
  readonly id: string;
  readonly from: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** How mails leave. */
export interface MailTransport {
  /**
   * Resolves with what became of it: taken, or refused for good and why. Rejects where a later try may do better.
   */
  send(message: Message & { readonly partnerId: number | null }): Promise<{ readonly refused?: string }>;
  close(): void;
}
