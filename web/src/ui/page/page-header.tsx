import { Box, chakra, Flex } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../link.tsx';
import { LongWord } from '../long-word.tsx';

export interface Crumb {
  readonly label: string;
  /** Absent for the page itself. */
  readonly to?: string;
}

function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation('ui');
  return (
    <nav aria-label={t('breadcrumb')}>
      <chakra.ol
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        gap="1"
        fontSize="xs"
        color="fg.muted"
        mb="1"
      >
        {crumbs.map(({ label, to }, index) => (
          <chakra.li key={label + to} display="flex" alignItems="center" gap="1" minW="0">
            {index > 0 && <ChevronRight size={12} aria-hidden />}
            {to === undefined ? (
              <chakra.span aria-current="page" minW="0">
                <LongWord>{label}</LongWord>
              </chakra.span>
            ) : (
              <Link
                to={to}
                minW="0"
                color="fg.muted"
                textDecoration="none"
                _hover={{ textDecoration: 'underline' }}
              >
                <LongWord>{label}</LongWord>
              </Link>
            )}
          </chakra.li>
        ))}
      </chakra.ol>
    </nav>
  );
}

interface PageHeaderProps {
  title: string;
  /** From the area's home to this page. */
  crumbs?: readonly Crumb[];
  /** How many there are, beside the title. */
  count?: string | undefined;
  lead?: ReactNode;
  /** The primary action, at the right. */
  action?: ReactNode;
}

/** The head of every page; also names the browser's tab. */
export function PageHeader({ title, crumbs, count, lead, action }: PageHeaderProps) {
  const { t } = useTranslation('ui');
  return (
    <Box as="header" mb="5">
      <title>{`${title} | ${t('product')}`}</title>
      {crumbs && <Breadcrumb crumbs={crumbs} />}
      <Flex justify="space-between" align="flex-end" gap="3" wrap="wrap">
        <Flex align="baseline" gap="3" minH="9" minW="0">
          <chakra.h1 fontSize="xl" fontWeight="bold" lineHeight="tight" overflowWrap="anywhere">
            {title}
          </chakra.h1>
          {count !== undefined && (
            <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
              {count}
            </chakra.span>
          )}
        </Flex>
        {action && (
          <Flex gap="2" wrap="wrap">
            {action}
          </Flex>
        )}
      </Flex>
      {lead && (
        <Box
          mt="1"
          color="fg.muted"
          maxW="form"
          overflowWrap="anywhere"
          wordBreak="auto-phrase"
          textWrap="pretty"
        >
          {lead}
        </Box>
      )}
    </Box>
  );
}
