import { chakra, Stack } from '@chakra-ui/react';
import { packageExtensions } from '@portal/contracts';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { ErrorText, fieldId, RequiredMark } from '../../../ui/form/field.tsx';
import { TextField } from '../../../ui/form/fields.tsx';
import { ChosenFileLine, DropArea } from '../../../ui/upload/upload-panel.tsx';
import { withFiles, withoutFile } from './chosen-files.ts';
import type { FileCreateValues } from './file-flows.ts';

/** The files to publish, and under which name each: a name follows its file until it is typed. */
export function FilesField() {
  const { t } = useTranslation(['files', 'ui']);
  const { getFieldState, formState, setValue, getValues, trigger } = useFormContext<FileCreateValues>();
  const files = useWatch<FileCreateValues, 'files'>({ name: 'files' });
  const error = getFieldState('files', formState).error?.message;
  const isOne = files.length <= 1;

  const change = ({ files, names }: Pick<FileCreateValues, 'files' | 'names'>) => {
    setValue('names', names, { shouldDirty: true });
    setValue('files', files, { shouldDirty: true });
    // What is wrong with a file is shown before the rest of the form is filled in.
    if (files.length > 0) void trigger('files');
  };

  return (
    <>
      <div>
        <chakra.div fontWeight="semibold" mb="1.5">
          {t('file')}
          <RequiredMark required />
        </chakra.div>
        <DropArea
          id={fieldId('files')}
          label={t('file')}
          help={t('filesHelp')}
          accept={packageExtensions.join(',')}
          multiple
          onChosen={(chosen) => change(withFiles(getValues(), chosen))}
          error={error}
        >
          <span>{t('ui:dropHere')}</span>
        </DropArea>
      </div>
      <Stack as="ul" gap="4" role="list" aria-label={t('chosenFiles')}>
        {(isOne ? [files[0]] : files).map((file, index) => (
          <li key={index}>
            {file && (
              <ChosenFileLine
                file={file}
                id={fieldId(`files.${index}`)}
                removeLabel={t('ui:actionOn', { action: t('ui:removeFile'), name: file.name })}
                onRemove={() => change(withoutFile(getValues(), index))}
              />
            )}
            <ErrorText id={`${fieldId(`files.${index}`)}-error`}>
              {getFieldState(`files.${index}`, formState).error?.message}
            </ErrorText>
            <TextField
              name={`names.${index}`}
              label={isOne ? t('name') : t('nameOf', { name: file?.name })}
              required
              {...(index === 0 && { help: t('nameHelp') })}
            />
          </li>
        ))}
      </Stack>
    </>
  );
}
