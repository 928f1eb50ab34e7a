import { chakra, Flex } from '@chakra-ui/react';
import { Copy, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/button.tsx';
import { JsonText } from './json-text.tsx';
import { type StoredDocument, writtenOf } from './stored-document.ts';

interface DocumentsJsonProps {
  caption: string;
  documents: readonly StoredDocument[];
  canWrite: boolean;
  onOpen: (id: string) => void;
  onClone: (document: StoredDocument) => void;
  onDelete: (id: string) => void;
  isStale: boolean;
}

/** The documents of a page below each other as they are. */
export function DocumentsJson({
  canWrite,
  caption,
  documents,
  isStale,
  onClone,
  onDelete,
  onOpen,
}: DocumentsJsonProps) {
  const { t } = useTranslation(['documents', 'ui']);
  return (
    <chakra.ul
      aria-label={caption}
      aria-busy={isStale}
      opacity={isStale ? 0.6 : 1}
      p="3"
      display="grid"
      gap="3"
      gridTemplateColumns="minmax(0, 1fr)"
      bg="bg.subtle"
      borderTopRadius="md"
    >
      {documents.map((document) => {
        const { _id: id } = document;
        const named = (action: string) => t('ui:actionOn', { action, name: id });
        return (
          <chakra.li key={id} bg="bg.panel" borderWidth="1px" borderRadius="md" px="4" py="2.5">
            <Flex justify="flex-end" gap="0.5" mb="-7" position="relative" pointerEvents="none">
              <Flex pointerEvents="auto" bg="bg.panel" borderRadius="l2">
                <IconButton
                  size="xs"
                  label={named(t(canWrite ? 'ui:edit' : 'open'))}
                  icon={<Pencil />}
                  onClick={() => onOpen(id)}
                />
                {canWrite && (
                  <>
                    <IconButton
                      size="xs"
                      label={named(t('clone'))}
                      icon={<Copy />}
                      onClick={() => onClone(document)}
                    />
                    <IconButton
                      size="xs"
                      label={named(t('ui:delete'))}
                      icon={<Trash2 />}
                      onClick={() => onDelete(id)}
                    />
                  </>
                )}
              </Flex>
            </Flex>
            <JsonText label={id} value={writtenOf(document)} />
          </chakra.li>
        );
      })}
    </chakra.ul>
  );
}
