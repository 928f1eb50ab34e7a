import { chakra } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { CopyValue } from '../../../ui/copy-button.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { type GuideStep, providers, useGuide } from './guide-steps.ts';
import type { ProviderValues } from './use-sso.ts';

interface SsoGuideProps {
  values: ProviderValues;
  /** There is a setting: it is edited from then on. */
  isSet: boolean;
}

/** How the portal is registered at an identity provider, with the values to paste there. */
export function SsoGuide({ isSet, values }: SsoGuideProps) {
  const { t } = useTranslation('ssoGuide');
  const [provider, setProvider] = useState<(typeof providers)[number]>('entra');
  const guide = useGuide(values, isSet)[provider];
  return (
    <Section title={t('title')} lead={t('lead')}>
      <Tabs
        label={t('provider')}
        tabs={providers.map((value) => ({ value, label: t(`${value}.name`) }))}
        value={provider}
        onChoose={setProvider}
      >
        <Panel px={{ base: '4', md: '6' }} py="5">
          <Steps title={t('saml')} steps={guide.saml} />
          <Steps title={t('scim')} steps={guide.scim} />
        </Panel>
      </Tabs>
    </Section>
  );
}

function Steps({ title, steps }: { title: string; steps: readonly GuideStep[] }) {
  const { t } = useTranslation('ssoGuide');
  return (
    <chakra.div _notFirst={{ mt: '6' }}>
      <chakra.h3 fontWeight="semibold" mb="3">
        {title}
      </chakra.h3>
      <chakra.ol listStyleType="decimal" ps="6" display="grid" gap="4" maxW="form">
        {steps.map(({ download, fields = [], text }) => (
          <li key={text}>
            {text}
            {fields.length > 0 && (
              <chakra.dl
                mt="2"
                display="grid"
                gridTemplateColumns={{ base: '1fr', md: 'minmax(0, 16rem) minmax(0, 1fr)' }}
                columnGap="4"
                rowGap={{ base: '0.5', md: '1' }}
                px="4"
                py="2"
                bg="bg.subtle"
                borderRadius="md"
                css={{ '& dt': { color: 'fg.muted', pt: '0.5' }, '& dd': { minW: '0' } }}
              >
                {fields.map(({ name, value }) => (
                  <FieldOfStep key={name} name={name} value={value} />
                ))}
              </chakra.dl>
            )}
            {download && (
              <chakra.div mt="2">
                <Button asChild variant="outline">
                  <a href={download} download="metadata.xml">
                    <Download aria-hidden />
                    {t('download')}
                  </a>
                </Button>
              </chakra.div>
            )}
          </li>
        ))}
      </chakra.ol>
    </chakra.div>
  );
}

function FieldOfStep({ name, value }: { name: string; value: string | null }) {
  const { t } = useTranslation('ssoGuide');
  return (
    <>
      <dt>{name}</dt>
      <dd>{value === null ? t('yourToken') : <CopyValue text={value} label={t('copy', { name })} />}</dd>
    </>
  );
}
