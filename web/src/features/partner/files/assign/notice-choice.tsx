import { pushRoutes } from '@portal/contracts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../../lib/api.ts';
import { useMay, usePartnerSession } from '../../../../lib/session/use-session.ts';
import { ChoiceLine } from '../../../../ui/form/choice-line.tsx';

/** By what people are told of a file once they have it. */
export interface Notices {
  readonly notifyEmail: boolean;
  readonly notifyPush: boolean;
}

interface NoticeChoiceProps {
  notices: Notices;
  onChange: (change: Partial<Notices>) => void;
  /** Said of the first box, where nothing above them says it. */
  help?: string;
}

/** By mail, and by push where the contract has that and there is a certificate to send with. */
export function NoticeChoice({ notices, onChange, help }: NoticeChoiceProps) {
  const { t } = useTranslation('files');
  const mayPush = useMay()('countPushAudience');
  const canSend = useCanSendPushes(mayPush);
  return (
    <>
      <ChoiceLine
        type="checkbox"
        name="notifyEmail"
        label={t('assignPage.notifyEmail')}
        {...(help && { help })}
        checked={notices.notifyEmail}
        onChange={(notifyEmail) => onChange({ notifyEmail })}
      />
      {mayPush && (
        <ChoiceLine
          type="checkbox"
          name="notifyPush"
          label={t('assignPage.notifyPush')}
          {...(!canSend && { help: t('assignPage.pushCertificateMissing') })}
          disabled={!canSend}
          checked={notices.notifyPush && canSend}
          onChange={(notifyPush) => onChange({ notifyPush })}
        />
      )}
    </>
  );
}

/** Until it is known that nobody has a certificate, it may be chosen: the server refuses what it cannot do. */
function useCanSendPushes(enabled: boolean): boolean {
  const api = useApi();
  const { partner } = usePartnerSession();
  const params = { pid: partner.id };
  const { data } = useQuery({
    queryKey: [pushRoutes.countPushAudience.id, params, 'all'],
    queryFn: ({ signal }) => api.call(pushRoutes.countPushAudience, { params, body: {}, signal }),
    enabled,
  });
  return data?.sends ?? true;
}

/** The names of the notices that were chosen, in one line. */
export function useNoticeNames(): (notices: Notices) => string {
  const { t } = useTranslation('files');
  return ({ notifyEmail, notifyPush }) => {
    const names = [
      ...(notifyEmail ? [t('assignPage.notifyEmailChosen')] : []),
      ...(notifyPush ? [t('assignPage.notifyPushChosen')] : []),
    ];
    return names.length === 0 ? t('assignPage.notifyNone') : names.join(t('listSeparator'));
  };
}
