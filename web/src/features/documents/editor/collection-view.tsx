import { chakra, Flex } from '@chakra-ui/react';
import { Braces, Download, Plus, Table2, Trash2, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, PageSpinner } from '../../../ui/feedback/states.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Tabs } from '../../../ui/page/tabs.tsx';
import { CursorPager } from './cursor-pager.tsx';
import { DeleteCollection, DeleteDocuments, DeleteMatching } from './delete-dialogs.tsx';
import { NewDocument, OpenDocument } from './document-dialog.tsx';
import { DocumentsJson } from './documents-json.tsx';
import { DocumentsTable } from './documents-table.tsx';
import { type EditorAddress, nextSort, tabs, type View, views } from './editor-address.ts';
import { ExportDialog } from './export-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { Indexes } from './indexes.tsx';
import { useDatabase } from './open-database.ts';
import type { StoredDocument } from './stored-document.ts';
import { useCollections, useDocuments, useKnownFields } from './use-documents.ts';

/** What is open over the documents. */
type Open =
  | { readonly what: 'new'; readonly like?: StoredDocument }
  | { readonly what: 'import' | 'export' | 'deleteMatching' | 'deleteCollection' }
  | { readonly what: 'delete'; readonly ids: readonly string[] };

const nothing: ReadonlySet<string> = new Set();

/** One collection: its documents, and its indexes. */
export function CollectionView({ address }: { address: EditorAddress }) {
  const { t } = useTranslation(['documents', 'ui']);
  const { writable } = useDatabase();
  const { name, tab } = address;
  const list = useDocuments(address);
  const { documents, filter, query, totalCount } = list;
  const fields = useKnownFields(name, documents);
  const { data } = useCollections();
  const chosen = data?.collections.find((one) => one.name === name);
  // What is open over a collection stays when somebody else deletes that: nothing is lost that was written.
  const isMissing = data !== undefined && !chosen;
  const all = chosen?.count ?? totalCount ?? 0;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  // A selection is of what is seen.
  const shown = JSON.stringify([name, address.filter, address.sort, address.perPage, list.before]);
  const [selection, setSelection] = useState({ shown, ids: nothing });
  const selected = selection.shown === shown ? selection.ids : nothing;
  const select = (ids: Iterable<string>) => setSelection({ shown, ids: new Set(ids) });
  const openDocument = (id: string) => address.show({ document: id });
  const refusalOf = (name: string) => query.error?.fields.find(({ field }) => field === name)?.message;
  const refusal = refusalOf('filter');
  const sortRefusal = refusalOf('sort');

  const actions = (
    <Flex gap="2" wrap="wrap">
      {writable && (
        <>
          <Button icon={<Plus />} onClick={() => setOpen({ what: 'new' })}>
            {t('newDocument')}
          </Button>
          <Button variant="outline" icon={<Upload />} onClick={() => setOpen({ what: 'import' })}>
            {t('import.button')}
          </Button>
        </>
      )}
      <Button variant="outline" icon={<Download />} onClick={() => setOpen({ what: 'export' })}>
        {t('export.button')}
      </Button>
      {writable && (
        <MoreButton label={t('ui:moreActions')}>
          {(closeMenu) => (
            <>
              <MenuButton
                onClick={() => {
                  closeMenu();
                  setOpen({ what: 'deleteMatching' });
                }}
              >
                {filter === undefined ? t('deleteAll') : t('deleteMatching')}
              </MenuButton>
              <MenuButton
                onClick={() => {
                  closeMenu();
                  setOpen({ what: 'deleteCollection' });
                }}
              >
                {t('deleteCollection')}
              </MenuButton>
            </>
          )}
        </MoreButton>
      )}
    </Flex>
  );

  return (
    <div>
      {isMissing ? (
        <Panel>
          <EmptyState
            title={t('collectionGone')}
            action={<ButtonLink to={address.linkTo('')}>{t('toCollections')}</ButtonLink>}
          >
            {t('collectionGoneText')}
          </EmptyState>
        </Panel>
      ) : (
        <Tabs
          label={t('parts')}
          tabs={tabs.map((value) => ({ value, label: t(`tabs.${value}`) }))}
          value={tab}
          onChoose={(value) => address.show({ tab: value })}
        >
          {tab === 'indexes' ? (
            <Indexes key={name} name={name} fields={fields} />
          ) : (
            <>
              <FilterBar
                key={name}
                address={address}
                fields={fields}
                refusal={refusal}
                isSearching={query.isFetching && query.isPlaceholderData}
              />
              <Flex gap="3" justify="space-between" align="flex-end" wrap="wrap" mb="2">
                {actions}
                <ViewChoice view={address.view} onChoose={(view) => address.show({ view })} />
              </Flex>
              <Panel>
                {selected.size > 0 && (
                  <SelectionBar
                    count={selected.size}
                    onClear={() => select([])}
                    onDelete={() => setOpen({ what: 'delete', ids: [...selected] })}
                  />
                )}
                {sortRefusal ? (
                  <EmptyState
                    title={t(address.sort === '' ? 'tooSlow' : 'notSorted')}
                    action={
                      address.sort !== '' && (
                        <Button variant="outline" onClick={() => address.show({ sort: '' })}>
                          {t('unsort')}
                        </Button>
                      )
                    }
                  >
                    {sortRefusal}
                  </EmptyState>
                ) : query.error && !refusal ? (
                  <ErrorState error={query.error} onRetry={() => void query.refetch()} />
                ) : !documents ? (
                  refusal ? (
                    <EmptyState title={t('filter.refused')}>{refusal}</EmptyState>
                  ) : (
                    <PageSpinner />
                  )
                ) : documents.length === 0 ? (
                  filter === undefined ? (
                    <EmptyState
                      title={t('emptyTitle')}
                      action={
                        writable && (
                          <Flex gap="2">
                            <Button icon={<Plus />} onClick={() => setOpen({ what: 'new' })}>
                              {t('newDocument')}
                            </Button>
                            <Button
                              variant="outline"
                              icon={<Upload />}
                              onClick={() => setOpen({ what: 'import' })}
                            >
                              {t('import.button')}
                            </Button>
                          </Flex>
                        )
                      }
                    >
                      {writable && t('emptyText')}
                    </EmptyState>
                  ) : (
                    <EmptyState
                      title={t('noMatch')}
                      action={
                        <Button variant="outline" onClick={() => address.show({ filter: '' })}>
                          {t('filter.reset')}
                        </Button>
                      }
                    >
                      {t('noMatchText')}
                    </EmptyState>
                  )
                ) : (
                  <>
                    {address.view === 'table' ? (
                      <DocumentsTable
                        caption={t('documentsOf', { name })}
                        documents={documents}
                        sort={address.sort}
                        onSort={(field) => address.show({ sort: nextSort(address.sort, field) })}
                        selected={writable ? selected : undefined}
                        onSelect={(ids, isSelected) =>
                          select(
                            isSelected
                              ? [...selected, ...ids]
                              : [...selected].filter((id) => !ids.includes(id)),
                          )
                        }
                        onOpen={openDocument}
                        isStale={query.isPlaceholderData}
                      />
                    ) : (
                      <DocumentsJson
                        caption={t('documentsOf', { name })}
                        documents={documents}
                        canWrite={writable}
                        onOpen={openDocument}
                        onClone={(like) => setOpen({ what: 'new', like })}
                        onDelete={(id) => setOpen({ what: 'delete', ids: [id] })}
                        isStale={query.isPlaceholderData}
                      />
                    )}
                    <CursorPager
                      from={list.before + 1}
                      to={list.before + documents.length}
                      total={totalCount ?? 0}
                      perPage={address.perPage}
                      onPerPage={(perPage) => address.show({ perPage })}
                      onPrevious={list.toPrevious}
                      onNext={list.toNext}
                    />
                  </>
                )}
              </Panel>
            </>
          )}
        </Tabs>
      )}
      {address.document !== '' && (
        <OpenDocument
          key={address.document}
          name={name}
          id={address.document}
          onClose={() => address.show({ document: '' })}
          onClone={(like) => {
            address.show({ document: '' });
            setOpen({ what: 'new', like });
          }}
          onDelete={(id) => setOpen({ what: 'delete', ids: [id] })}
        />
      )}
      {open?.what === 'new' && <NewDocument name={name} like={open.like} onClose={close} />}
      {open?.what === 'import' && <ImportDialog name={name} onClose={close} />}
      {open?.what === 'export' && (
        <ExportDialog name={name} filter={filter} count={totalCount ?? 0} total={all} onClose={close} />
      )}
      {open?.what === 'delete' && (
        <DeleteDocuments name={name} ids={open.ids} onClose={close} onDeleted={() => select([])} />
      )}
      {open?.what === 'deleteMatching' && (
        <DeleteMatching
          name={name}
          filter={filter}
          count={totalCount ?? 0}
          onClose={close}
          onDeleted={() => select([])}
        />
      )}
      {open?.what === 'deleteCollection' && (
        <DeleteCollection
          name={name}
          count={all}
          onClose={close}
          onDeleted={() => address.show({ name: '', filter: '', sort: '', tab: 'documents' })}
        />
      )}
    </div>
  );
}

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  onDelete: () => void;
}

function SelectionBar({ count, onClear, onDelete }: SelectionBarProps) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  return (
    <Flex
      role="region"
      aria-label={t('bulk')}
      align="center"
      gap="3"
      px="3"
      minH="11"
      bg="accent.subtle"
      borderBottomWidth="1px"
      borderTopRadius="md"
    >
      <chakra.span role="status" fontWeight="medium" fontVariantNumeric="tabular-nums">
        {t('selected', { count: number(count) })}
      </chakra.span>
      <Button size="xs" variant="outline" colorPalette="danger" icon={<Trash2 />} onClick={onDelete}>
        {t('delete')}
      </Button>
      <Button size="xs" variant="ghost" colorPalette="gray" onClick={onClear}>
        {t('clearSelection')}
      </Button>
    </Flex>
  );
}

function MenuButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button
      variant="ghost"
      colorPalette="danger"
      w="full"
      justifyContent="flex-start"
      icon={<Trash2 />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

const icons = { table: Table2, json: Braces };

function ViewChoice({ onChoose, view }: { view: View; onChoose: (view: View) => void }) {
  const { t } = useTranslation('documents');
  return (
    <Flex
      role="group"
      aria-label={t('view')}
      gap="0.5"
      p="0.5"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.panel"
    >
      {views.map((one) => {
        const Icon = icons[one];
        return (
          <Button
            key={one}
            size="xs"
            variant={one === view ? 'subtle' : 'ghost'}
            colorPalette={one === view ? 'accent' : 'gray'}
            aria-pressed={one === view}
            icon={<Icon />}
            onClick={() => onChoose(one)}
          >
            {t(`views.${one}`)}
          </Button>
        );
      })}
    </Flex>
  );
}
