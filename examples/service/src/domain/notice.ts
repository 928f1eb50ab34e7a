import type { EventData } from '@portal/contracts';
import type { noticeEvents } from '../../contracts/index.ts';

export interface NoticeFields {
  readonly name: string;
  readonly text: string;
}

interface Changes {
  readonly name?: string | undefined;
  readonly text?: string | undefined;
}

/** What a notice is after a change; what is absent stays. */
export const changed = (notice: NoticeFields, { name, text }: Changes): NoticeFields => ({
  name: name ?? notice.name,
  text: text ?? notice.text,
});

/** What the event of its publication tells. */
export const publicationOf = ({
  id,
  name,
}: NoticeFields & { readonly id: number }): EventData<typeof noticeEvents.noticePublished> => ({
  noticeId: id,
  name,
});
