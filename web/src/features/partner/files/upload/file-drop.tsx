import { chakra } from '@chakra-ui/react';
import { FileUp } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useUploads } from '../../../../components/upload/uploads.ts';
import { fileCreateFlow } from '../file-flows.ts';

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** A page on which files may be dropped anywhere: they open the form that publishes them. */
export function FileDrop({ children, disabled }: { children: ReactNode; disabled: boolean }) {
  const { t } = useTranslation('files');
  const navigate = useNavigate();
  const uploads = useUploads();
  const [isOver, setIsOver] = useState(false);
  /** A drag enters and leaves every element that it passes. */
  const depth = useRef(0);
  if (disabled) return children;

  const move = (by: number) => (event: DragEvent) => {
    if (!holdsFiles(event)) return;
    depth.current += by;
    setIsOver(depth.current > 0);
  };
  return (
    <chakra.div
      position="relative"
      minH="calc(100dvh - 12rem)"
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={(event) => {
        if (holdsFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setIsOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length === 0) return;
        uploads.hand(files);
        void navigate(fileCreateFlow.paths.form);
      }}
    >
      {children}
      {isOver && (
        <chakra.div
          aria-hidden
          position="absolute"
          inset="-2"
          zIndex="sticky"
          display="flex"
          alignItems="flex-start"
          justifyContent="center"
          pt="24"
          pointerEvents="none"
          borderWidth="2px"
          borderStyle="dashed"
          borderColor="accent.solid"
          borderRadius="md"
          bg="bg.panel/80"
        >
          <chakra.span display="flex" alignItems="center" gap="2" fontSize="lg" fontWeight="semibold">
            <FileUp aria-hidden />
            {t('dropOnList')}
          </chakra.span>
        </chakra.div>
      )}
    </chakra.div>
  );
}
