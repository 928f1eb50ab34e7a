import { chakra, Flex } from '@chakra-ui/react';
import { companyAdminRoutes, plans, tenantRoutes } from '@portal/contracts';
import {
  BadgeCheck,
  Database,
  FileClock,
  FolderDown,
  History,
  KeyRound,
  type LucideIcon,
  MailX,
  Pencil,
  Plus,
  ShieldUser,
  Trash2,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { Loaded } from '../../../components/loaded.tsx';
import {
  newPartnerAdminLink,
  partnerAdminsLink,
  partnerBouncesLink,
  partnerEditLink,
  partnerLicenceLogLink,
  partnerListPath,
  partnerOperationLogLink,
  partnerSsoLink,
  tenantCollectionsLink,
} from '../../../components/partner-links.ts';
import { RecordLoader } from '../../../components/record-loader.tsx';
import { refetchEvery, SummaryHistory, SummaryNow } from '../../../components/summary.tsx';
import { tenantLink } from '../../../components/tenant.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat, viewerZone } from '../../../lib/format.ts';
import type { Call } from '../../../lib/session/calls.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { PlainLink } from '../../../ui/link.tsx';
import { PageHeader } from '../../../ui/page/page-header.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { DeletePartner } from './delete-partner.tsx';
import { PartnerFacts } from './partner-facts.tsx';
import type { PartnerDetail } from './partner-rules.ts';
import { usePartnerOfAddress, usePartnerPageCrumbs } from './use-partner.ts';

/** One company as administrators see it: what it uses, the ways to all that is about it, and what is set. */
export function TenantMenuPage() {
  const { t } = useTranslation(['tenantMenu', 'partners']);
  const may = useMay();
  const partner = usePartnerOfAddress();
  const { data } = partner;
  return (
    <>
      <PageHeader
        title={data?.name ?? t('partners:detail')}
        crumbs={usePartnerPageCrumbs(data?.name ?? t('partners:detail'))}
        lead={data && <Lead partner={data} />}
        action={
          data &&
          may('updatePartner') && (
            <ButtonLink to={partnerEditLink(data)} variant="outline" icon={<Pencil />}>
              {t('edit')}
            </ButtonLink>
          )
        }
      />
      {data ? (
        <chakra.div maxW="page">
          <FirstAdmin partner={data} />
          <Ways partner={data} />
          <Use id={data.id} />
          <PartnerFacts partner={data} />
          {may('deletePartner') && <DeleteThis partner={data} />}
        </chakra.div>
      ) : (
        <RecordLoader
          queries={[partner]}
          rows={14}
          action={<ButtonLink to={partnerListPath}>{t('partners:toList')}</ButtonLink>}
        />
      )}
    </>
  );
}

function Lead({ partner }: { partner: PartnerDetail }) {
  const { t } = useTranslation(['partners', 'auth']);
  return `${t(`auth:ranks.${partner.contractRank}`)} · ${t('code')} ${partner.partnerCode} · ${partner.unitName}`;
}

/** A company without anybody who can sign in is of no use yet. */
function FirstAdmin({ partner }: { partner: PartnerDetail }) {
  const { t } = useTranslation('tenantMenu');
  const may = useMay();
  const isAsked = may('listPartnerAdmins') && may('createPartnerAdmin');
  const { data } = useApiQuery(
    companyAdminRoutes.listPartnerAdmins,
    { params: { pid: partner.id }, query: { perPage: 1 } },
    { enabled: isAsked },
  );
  if (data?.totalCount !== 0) return null;
  return (
    <chakra.div mb="5">
      <Notice tone="info">
        <p>{t('noAdmins')}</p>
        <chakra.div mt="2">
          <ButtonLink to={newPartnerAdminLink(partner)} icon={<Plus />}>
            {t('createAdmin')}
          </ButtonLink>
        </chakra.div>
      </Notice>
    </chakra.div>
  );
}

interface Way {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly text: string;
  readonly needs: Call;
}

function Ways({ partner }: { partner: PartnerDetail }) {
  const { t } = useTranslation('tenantMenu');
  const { number } = useFormat();
  const may = useMay();
  const { bounceCount } = partner;
  const all: readonly Way[] = [
    {
      to: tenantLink('files', partner),
      icon: FolderDown,
      title: t('files'),
      text: t('filesText'),
      needs: 'listFiles',
    },
    {
      to: tenantLink('users', partner),
      icon: UserRound,
      title: t('users'),
      text: t('usersText'),
      needs: 'listUsers',
    },
    {
      to: tenantLink('groups', partner),
      icon: UsersRound,
      title: t('groups'),
      text: t('groupsText'),
      needs: 'listGroups',
    },
    {
      to: tenantLink('certifications', partner),
      icon: BadgeCheck,
      title: t('certifications'),
      text: t('certificationsText'),
      needs: 'listPartnerCertifications',
    },
    {
      to: partnerAdminsLink(partner),
      icon: ShieldUser,
      title: t('admins'),
      text: t('adminsText'),
      needs: 'listPartnerAdmins',
    },
    {
      to: partnerSsoLink(partner),
      icon: KeyRound,
      title: t('sso'),
      text: t('ssoText'),
      needs: 'getPartnerSso',
    },
    {
      to: tenantCollectionsLink(partner),
      icon: Database,
      title: t('documents'),
      text: t('documentsText'),
      needs: 'listCollections',
    },
    {
      to: partnerLicenceLogLink(partner),
      icon: FileClock,
      title: t('licenceLog'),
      text: t('licenceLogText'),
      needs: 'listPartnerLicenceChanges',
    },
    {
      to: partnerOperationLogLink(partner),
      icon: History,
      title: t('operationLog'),
      text: t('operationLogText'),
      needs: 'listOperationLogs',
    },
    {
      to: partnerBouncesLink(partner),
      icon: MailX,
      title: bounceCount > 0 ? `${t('bounces')} (${number(bounceCount)})` : t('bounces'),
      text: t('bouncesText'),
      needs: 'listBounces',
    },
  ];
  const { apis } = plans[partner.contractRank];
  const ofPlan: Partial<Record<Call, boolean>> = {
    getPartnerSso: apis.includes('sso'),
    listCollections: apis.includes('doc-browsing'),
  };
  const ways = all.filter(({ needs }) => may(needs) && ofPlan[needs] !== false);
  if (ways.length === 0) return null;
  return (
    <Section title={t('ways')}>
      <chakra.ul
        display="grid"
        gap="3"
        gridTemplateColumns="repeat(auto-fill, minmax(min(16rem, 100%), 1fr))"
        css={wayStyles}
      >
        {ways.map(({ icon: Icon, text, title, to }) => (
          <li key={to}>
            <PlainLink to={to}>
              <Icon size={20} strokeWidth={1.7} aria-hidden />
              <span>
                <chakra.strong display="block" fontWeight="semibold">
                  {title}
                </chakra.strong>
                <chakra.span fontSize="xs" color="fg.muted">
                  {text}
                </chakra.span>
              </span>
            </PlainLink>
          </li>
        ))}
      </chakra.ul>
    </Section>
  );
}

const wayStyles = {
  '& a': {
    display: 'flex',
    gap: '3',
    h: 'full',
    px: '4',
    py: '3',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderRadius: 'md',
    transition: 'border-color 120ms, box-shadow 120ms',
  },
  '& a:hover': { borderColor: 'accent.focusRing', boxShadow: 'md' },
  '& svg': { color: 'accent.fg', flexShrink: '0', mt: '0.5' },
} as const;

/** What it uses; the contract beside it is told by its facts. */
function Use({ id }: { id: number }) {
  const summary = useApiQuery(
    tenantRoutes.getSummary,
    { params: { pid: id }, query: { tz: viewerZone() } },
    { refetchInterval: refetchEvery },
  );
  return (
    <Loaded query={summary}>
      {(data) => (
        <>
          <SummaryNow summary={data} />
          <SummaryHistory summary={data} />
        </>
      )}
    </Loaded>
  );
}

function DeleteThis({ partner }: { partner: PartnerDetail }) {
  const { t } = useTranslation('tenantMenu');
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <Flex>
      <Button variant="outline" colorPalette="danger" icon={<Trash2 />} onClick={() => setAsking(true)}>
        {t('delete')}
      </Button>
      {asking && (
        <DeletePartner
          partner={partner}
          onClose={() => setAsking(false)}
          onDeleted={() => navigate(partnerListPath, { replace: true, flushSync: true })}
        />
      )}
    </Flex>
  );
}
