import { chakra } from '@chakra-ui/react';
import { FileKey } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { CheckboxField, PasswordField } from '../../ui/form/fields.tsx';
import { FileField } from '../../ui/form/file-field.tsx';
import { FormSection } from '../../ui/form/form.tsx';
import { DescriptionList } from '../../ui/page/description-list.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { CertificateEnd } from './certificate-end.tsx';
import type { Certificate, ReadP12 } from './certificate-rules.ts';
import type { useCertificateForm } from './use-certificate-form.ts';

type Props = Pick<ReturnType<typeof useCertificateForm>, 'form' | 'isReading' | 'read'> & {
  /** What there is already, of a certificate that is edited. */
  before: Certificate | undefined;
};

/** The part for Android and the part for iOS. */
export function CertificateFields({ before, form, isReading, read }: Props) {
  const { t } = useTranslation('certificates');
  const { setValue, watch } = form.form;
  const [keyFile, p12, password, pem] = watch(['keyFile', 'p12', 'p12Password', 'pem']);

  // What was read is of that file alone.
  useEffect(
    () =>
      form.form.subscribe({
        formState: { values: true },
        callback({ name }) {
          if (name === 'p12' || name === 'p12Password') setValue('pem', undefined);
        },
      }),
    [form.form, setValue],
  );

  return (
    <>
      <FormSection title={t('android')}>
        <FileField
          {...form.field('keyFile')}
          accept=".json"
          help={before?.hasApiKey ? t('keyFileStays', { project: before.projectId ?? '' }) : t('keyFileHelp')}
        />
        {before?.hasApiKey && !keyFile && (
          <CheckboxField {...form.field('deletesKey')} help={t('deletesKeyHelp')} />
        )}
      </FormSection>
      <FormSection title={t('ios')}>
        <FileField
          {...form.field('p12')}
          accept=".p12"
          help={
            before?.hasCertificate
              ? t('p12Stays', { name: before.certificationFileName ?? before.topic ?? '' })
              : t('p12Help')
          }
        />
        {p12 && (
          <>
            <PasswordField
              {...form.field('p12Password')}
              autoComplete="new-password"
              help={t('p12PasswordHelp')}
            />
            {pem ? (
              <ReadCertificate pem={pem} />
            ) : (
              <Button
                variant="outline"
                alignSelf="flex-start"
                icon={<FileKey />}
                pending={isReading}
                // So that it is asked for again with another password.
                key={password}
                onClick={read}
              >
                {t('read')}
              </Button>
            )}
          </>
        )}
        {before?.hasCertificate && !p12 && (
          <CheckboxField {...form.field('deletesCertificate')} help={t('deletesCertificateHelp')} />
        )}
      </FormSection>
    </>
  );
}

/** What the server has found in the file. */
function ReadCertificate({ pem }: { pem: ReadP12 }) {
  const { t } = useTranslation(['certificates', 'ui']);
  return (
    <chakra.div role="status">
      <chakra.p mb="1.5" fontWeight="semibold">
        {t('found')}
      </chakra.p>
      <Panel>
        <DescriptionList
          items={[
            { label: t('subject'), value: pem.subject },
            { label: t('topic'), value: pem.topic ? <code>{pem.topic}</code> : t('ui:none') },
            { label: t('expiresAt'), value: <CertificateEnd expiresAt={pem.certificateExpiresAt} /> },
          ]}
        />
      </Panel>
    </chakra.div>
  );
}
