import { chakra, Flex } from '@chakra-ui/react';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Crumb, PageHeader } from './page-header.tsx';
import { Panel } from './panel.tsx';

interface CompletePageProps {
  title: string;
  crumbs?: readonly Crumb[];
  /** What was done, by name. */
  message: ReactNode;
  /** What came with it. */
  notes?: readonly string[];
  /** What else there is to see before one goes on. */
  children?: ReactNode;
  /** What one does next: links, where there is anything to do. */
  next: ReactNode;
}

export function CompletePage({ title, crumbs, message, notes = [], children, next }: CompletePageProps) {
  return (
    <>
      <PageHeader title={title} {...(crumbs ? { crumbs } : {})} />
      <Panel maxW="form" p={{ base: '5', md: '8' }}>
        <Flex gap="3" role="status">
          <chakra.span color="fg.success" flexShrink="0">
            <CircleCheck size={24} aria-hidden />
          </chakra.span>
          <chakra.div overflowWrap="anywhere">
            <chakra.p fontSize="md">{message}</chakra.p>
            {notes.map((note) => (
              <chakra.p key={note} mt="2" color="fg.muted">
                {note}
              </chakra.p>
            ))}
          </chakra.div>
        </Flex>
        {children && <chakra.div mt="6">{children}</chakra.div>}
        {next && (
          <Flex mt="6" gap="2" wrap="wrap">
            {next}
          </Flex>
        )}
      </Panel>
    </>
  );
}
