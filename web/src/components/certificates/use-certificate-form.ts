import { pushRoutes } from '@portal/contracts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../lib/api.ts';
import { base64Of } from '../../lib/base64.ts';
import { failureOf } from '../../lib/contract-form.ts';
import { useAction } from '../../lib/use-action.ts';
import { type FlowForm, useFlowForm } from '../../ui/flow/flow.tsx';
import { type Certificate, type CertificateValues, certificateSchema } from './certificate-rules.ts';

export function useCertificateLabels() {
  const { t } = useTranslation('certificates');
  return {
    name: t('name'),
    keyFile: t('keyFile'),
    deletesKey: t('deletesKey'),
    p12: t('p12'),
    p12Password: t('p12Password'),
    pem: t('p12'),
    deletesCertificate: t('deletesCertificate'),
  };
}

interface CertificateForm {
  readonly form: FlowForm<CertificateValues>;
  /** Has the server read the file that is chosen, and goes on with what it holds. */
  readonly submit: (values: CertificateValues) => void;
  /** The same without going on. */
  readonly read: () => void;
  readonly isReading: boolean;
}

/** The form of a certificate. A .p12 file is opened by the server, which keeps nothing of it. */
export function useCertificateForm(
  initial: CertificateValues,
  named: boolean,
  before: Certificate | undefined,
): CertificateForm {
  const api = useApi();
  const schema = useMemo(() => certificateSchema(named, before), [named, before]);
  const form = useFlowForm<CertificateValues>(schema, initial, useCertificateLabels());
  const { getValues, setValue, trigger } = form.form;

  const reading = useAction({
    mutationFn: async ({ goesOn }: { goesOn: boolean }) => {
      const { p12, p12Password } = getValues();
      const pem =
        p12 &&
        (await api.call(pushRoutes.readP12, { body: { p12: await base64Of(p12), password: p12Password } }));
      return { pem, of: p12, goesOn };
    },
    onSuccess({ goesOn, of, pem }) {
      // Another file was chosen meanwhile.
      if (getValues('p12') !== of) return;
      setValue('pem', pem);
      if (goesOn) form.flow.confirm({ ...getValues(), pem });
    },
    onError: (error) => form.fail(failureOf(error), { password: 'p12Password' }),
  });

  return {
    form,
    isReading: reading.isPending,
    submit: (values) =>
      values.p12 && !values.pem ? reading.mutate({ goesOn: true }) : form.flow.confirm(values),
    read() {
      form.startSubmit();
      void trigger('p12').then((isRight) => isRight && reading.mutate({ goesOn: false }));
    },
  };
}
