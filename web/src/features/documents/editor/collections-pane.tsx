import { chakra, Flex, Input, Skeleton } from '@chakra-ui/react';
import type { documentRoutes, RouteReply } from '@portal/contracts';
import { Database, Plus, Table2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/feedback/states.tsx';
import { PlainLink } from '../../../ui/link.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import type { EditorAddress } from './editor-address.ts';
import { NewCollection } from './new-collection.tsx';
import { useDatabase } from './open-database.ts';
import { useCollections } from './use-documents.ts';

type Collection = RouteReply<typeof documentRoutes.listCollections>['collections'][number];

/** From so many on they are looked for by name. */
const searchedFrom = 8;

const listStyles = {
  '& a': {
    display: 'grid',
    gridTemplateColumns: 'auto minmax(0, 1fr)',
    columnGap: '2',
    alignItems: 'center',
    px: '2.5',
    py: '1.5',
    borderRadius: 'sm',
  },
  '& a:hover': { bg: 'bg.muted' },
  '& a[aria-current=page]': { bg: 'accent.subtle', color: 'accent.fg' },
  '& a[aria-current=page] strong': { fontWeight: 'semibold' },
  '& svg': { color: 'fg.subtle' },
  '& strong': { fontWeight: 'medium', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& small': { gridColumn: '2', fontSize: 'xs', color: 'fg.muted', fontVariantNumeric: 'tabular-nums' },
} as const;

/** The collections of the database, with how much is in each. */
export function CollectionsPane({ address }: { address: EditorAddress }) {
  const { t } = useTranslation(['documents', 'ui']);
  const { writable } = useDatabase();
  const { data, error, refetch } = useCollections();
  const [wanted, setWanted] = useState('');
  const [isCreating, setIsCreating] = useState(false);
  const collections = data?.collections ?? [];
  const shown = collections.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <Panel as="nav" aria-label={t('collections')} p="2" alignSelf="start">
      <chakra.div css={listStyles}>
        <PlainLink to={address.linkTo('')} aria-current={address.name === '' ? 'page' : undefined}>
          <Database size={16} aria-hidden />
          <strong>{t('overview')}</strong>
        </PlainLink>
      </chakra.div>
      <Flex align="center" justify="space-between" mt="3" ps="2.5" minH="8">
        <chakra.h2 fontSize="xs" fontWeight="semibold" color="fg.muted">
          {t('collections')}
        </chakra.h2>
        {writable && (
          <IconButton
            size="xs"
            label={t('newCollection')}
            icon={<Plus />}
            onClick={() => setIsCreating(true)}
          />
        )}
      </Flex>
      {collections.length >= searchedFrom && (
        <Input
          type="search"
          size="xs"
          h="8"
          mb="1.5"
          aria-label={t('findCollection')}
          placeholder={t('findCollection')}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      )}
      {data ? (
        <chakra.ul css={listStyles} maxH={{ md: 'calc(100dvh - 20rem)' }} overflowY="auto">
          {shown.map((collection) => (
            <li key={collection.name}>
              <CollectionLink collection={collection} address={address} />
            </li>
          ))}
          {shown.length === 0 && (
            <chakra.li px="2.5" py="2" fontSize="xs" color="fg.muted">
              {t(collections.length === 0 ? 'noCollections' : 'noCollectionFound')}
            </chakra.li>
          )}
        </chakra.ul>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <chakra.div aria-hidden px="2.5">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} h="8" my="2" />
          ))}
        </chakra.div>
      )}
      {writable && data && collections.length === 0 && (
        <Button
          size="xs"
          variant="outline"
          ms="2.5"
          my="1"
          icon={<Plus />}
          onClick={() => setIsCreating(true)}
        >
          {t('newCollection')}
        </Button>
      )}
      {isCreating && (
        <NewCollection
          onClose={() => setIsCreating(false)}
          onCreated={(name) => address.show({ name, filter: '', sort: '', tab: 'documents', document: '' })}
        />
      )}
    </Panel>
  );
}

interface CollectionLinkProps {
  collection: Collection;
  address: EditorAddress;
}

function CollectionLink({ address, collection: { count, name, size } }: CollectionLinkProps) {
  const { t } = useTranslation('documents');
  const { fileSize } = useFormat();
  return (
    <PlainLink
      to={address.linkTo(name)}
      title={name}
      aria-current={name === address.name ? 'page' : undefined}
    >
      <Table2 size={16} aria-hidden />
      <strong>{name}</strong>
      <small>{t('countAndSize', { count, size: fileSize(size) })}</small>
    </PlainLink>
  );
}
