import { chakra, Stack } from '@chakra-ui/react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import type { Secret } from '../../../ui/flow/flow-store.ts';

interface DemoUsersProps {
  /** What they sign in with, beside their own ID and password. */
  code: string;
  users: readonly Secret[];
}

/** How the users of a new company sign in, which nobody can look up later. */
export function DemoUsers({ code, users }: DemoUsersProps) {
  const { t } = useTranslation('partnerForm');
  const titleId = useId();
  const lines = users.map(({ name, secret }) => `${name}\t${secret}`);
  return (
    <Stack gap="3">
      <chakra.h2 id={titleId} fontSize="md" fontWeight="semibold">
        {t('demoUsers')}
      </chakra.h2>
      <p>{t('demoUsersText')}</p>
      <chakra.table
        aria-labelledby={titleId}
        w="full"
        bg="bg.subtle"
        borderWidth="1px"
        borderRadius="md"
        borderCollapse="separate"
        borderSpacing="0"
        css={{
          '& th, & td': { px: '4', py: '2', textAlign: 'start', overflowWrap: 'anywhere' },
          '& thead th': { fontSize: 'xs', fontWeight: 'medium', color: 'fg.muted' },
          '& tbody th, & tbody td': { borderTopWidth: '1px', fontFamily: 'mono', fontWeight: 'normal' },
        }}
      >
        <thead>
          <tr>
            <th scope="col">{t('loginUserId')}</th>
            <th scope="col">{t('password')}</th>
          </tr>
        </thead>
        <tbody>
          {users.map(({ name, secret }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{secret}</td>
            </tr>
          ))}
        </tbody>
      </chakra.table>
      <div>
        <CopyButton text={[t('codeIs', { code }), ...lines].join('\n')} label={t('copyDemoUsers')} />
      </div>
      <Notice tone="warning">{t('demoUsersOnce')}</Notice>
    </Stack>
  );
}
