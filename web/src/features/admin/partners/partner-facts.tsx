import { Box } from '@chakra-ui/react';
import { addressesIn, signUpPurposes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { LicenceEnd } from '../../../components/licence-end.tsx';
import { useFormat } from '../../../lib/format.ts';
import { type DescriptionItem, DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { effectOfEnd, type PartnerDetail } from './partner-rules.ts';

/** All that is set of a company. */
export function PartnerFacts({ partner }: { partner: PartnerDetail }) {
  const { t } = useTranslation(['partners', 'tenantMenu', 'ui', 'auth']);
  const { dateTime, number } = useFormat();
  const textOrNone = (value: string | null) => value || t('ui:none');
  const onOrOff = (flag: boolean) => (flag ? t('on') : t('off'));
  const limit = (value: number) => (value === 0 ? t('unlimited') : number(value));
  const { licenseExpiredOn } = partner;
  return (
    <Box
      display="grid"
      columnGap="3"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', xl: 'repeat(2, minmax(0, 1fr))' }}
    >
      <div>
        <Facts
          title={t('contract')}
          items={[
            { label: t('id'), value: partner.id },
            { label: t('code'), value: partner.partnerCode },
            { label: t('unit'), value: partner.unitName },
            { label: t('rank'), value: t(`auth:ranks.${partner.contractRank}`) },
            { label: t('licenseType'), value: t(`auth:licenseTypes.${partner.licenseType}`) },
            { label: t('licenseCount'), value: number(partner.licenseCount) },
            {
              label: t('licenseExpiredOn'),
              value: (
                <>
                  <LicenceEnd expiredOn={licenseExpiredOn} />
                  {licenseExpiredOn !== null && effectOfEnd(licenseExpiredOn).state !== 'isOver' && (
                    <Box fontSize="xs" color="fg.muted">
                      {t('tenantMenu:endsHelp', { last: dateTime(effectOfEnd(licenseExpiredOn).last) })}
                    </Box>
                  )}
                </>
              ),
            },
          ]}
        />
        <Facts
          title={t('limits')}
          items={[
            { label: t('userDeviceLimit'), value: limit(partner.userDeviceLimit) },
            { label: t('uapFileLimit'), value: limit(partner.uapFileLimit) },
            { label: t('filePublic'), value: onOrOff(partner.filePublicFlag) },
            { label: t('operationLog'), value: onOrOff(partner.operationLogDownloadFlag) },
          ]}
        />
      </div>
      {partner.signUp && <SignUpFacts signUp={partner.signUp} />}
      <Facts
        title={t('contact')}
        items={[
          { label: t('email'), value: textOrNone(partner.email) },
          { label: t('managers'), value: addressesIn(partner.managers).join('\n') || t('ui:none') },
          { label: t('lang'), value: t(`languages.${partner.lang}`) },
          { label: t('tenantMenu:timeZone'), value: partner.timeZone },
          { label: t('partnerItem'), value: textOrNone(partner.partnerItem) },
          { label: t('comment'), value: textOrNone(partner.comment) },
          { label: t('json'), value: textOrNone(partner.json) },
          { label: t('createdAt'), value: dateTime(partner.createdAt) },
          { label: t('updatedAt'), value: dateTime(partner.updatedAt) },
        ]}
      />
    </Box>
  );
}

/** What was said by who signed the company up. */
function SignUpFacts({ signUp }: { signUp: NonNullable<PartnerDetail['signUp']> }) {
  const { t } = useTranslation(['partners', 'tenantMenu', 'ui', 'signUp']);
  const { dateTime } = useFormat();
  const time = (value: string | null) => (value === null ? t('ui:none') : dateTime(value));
  const purpose = signUpPurposes.find((known) => known === signUp.purpose);
  return (
    <Facts
      title={t('tenantMenu:signUp')}
      items={[
        { label: t('signUp:lastName'), value: signUp.lastName },
        { label: t('signUp:firstName'), value: signUp.firstName },
        { label: t('signUp:email'), value: signUp.email },
        { label: t('signUp:tel'), value: signUp.tel },
        { label: t('signUp:purpose'), value: purpose ? t(`signUp:purposes.${purpose}`) : t('ui:none') },
        { label: t('tenantMenu:agreedToTermsAt'), value: time(signUp.agreedToTermsAt) },
        { label: t('tenantMenu:signedUpAt'), value: dateTime(signUp.signedUpAt) },
        {
          label: t('tenantMenu:activatedAt'),
          value: signUp.activatedAt === null ? t('tenantMenu:notActivated') : dateTime(signUp.activatedAt),
        },
      ]}
    />
  );
}

function Facts({ title, items }: { title: string; items: readonly DescriptionItem[] }) {
  return (
    <Section title={title}>
      <Panel>
        <DescriptionList items={items} />
      </Panel>
    </Section>
  );
}
