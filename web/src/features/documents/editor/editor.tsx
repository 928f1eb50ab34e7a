import { chakra } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { type Crumb, PageHeader } from '../../../ui/page/page-header.tsx';
import { CollectionView } from './collection-view.tsx';
import { CollectionsPane } from './collections-pane.tsx';
import { useEditorAddress } from './editor-address.ts';
import { useDatabase } from './open-database.ts';
import { DatabaseNotice, Overview } from './overview.tsx';
import { useCollections } from './use-documents.ts';

/** The collections at the left, and at the right what is chosen. On narrow screens one after the other. */
export function Editor() {
  const { t } = useTranslation('documents');
  const { fileSize } = useFormat();
  const { crumbs, db } = useDatabase();
  const address = useEditorAddress();
  const { data } = useCollections();
  const { name } = address;
  const chosen = data?.collections.find((one) => one.name === name);
  const title = t('title');
  const way: readonly Crumb[] =
    name === ''
      ? [...crumbs, { label: title }]
      : [...crumbs, { label: title, to: address.linkTo('') }, { label: name }];
  return (
    <>
      <PageHeader
        title={name === '' ? title : name}
        crumbs={way}
        lead={name === '' ? t('lead', { db }) : undefined}
        count={chosen && t('countAndSize', { count: chosen.count, size: fileSize(chosen.size) })}
        action={
          name !== '' && (
            <ButtonLink
              to={address.linkTo('')}
              hideFrom="md"
              size="xs"
              variant="outline"
              colorPalette="gray"
              icon={<ArrowLeft />}
            >
              {t('toCollections')}
            </ButtonLink>
          )
        }
      />
      <DatabaseNotice />
      <chakra.div
        display="grid"
        gap={{ base: '5', md: '6' }}
        gridTemplateColumns={{
          base: 'minmax(0, 1fr)',
          md: '13rem minmax(0, 1fr)',
          xl: '15rem minmax(0, 1fr)',
        }}
      >
        <chakra.div display={{ base: name === '' ? 'block' : 'none', md: 'block' }}>
          <CollectionsPane address={address} />
        </chakra.div>
        <chakra.div minW="0">
          {name === '' ? <Overview /> : <CollectionView key={name} address={address} />}
        </chakra.div>
      </chakra.div>
    </>
  );
}
