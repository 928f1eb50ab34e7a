import { chakra } from '@chakra-ui/react';
import { Controller, useFormContext } from 'react-hook-form';
import { DropZone } from '../upload/upload-panel.tsx';
import { type FieldProps, fieldId, RequiredMark } from './field.tsx';

interface FileFieldProps extends Omit<FieldProps, 'help'> {
  /** What may be chosen, in words. */
  help: string;
  /** Extensions with their dots, as in `<input accept>`. */
  accept: string;
}

/** One file; its value is a `File` or undefined. */
export function FileField({ name, label, required = false, help, accept }: FileFieldProps) {
  const { getFieldState, formState, control, trigger } = useFormContext();
  const error = getFieldState(name, formState).error?.message;
  return (
    <div>
      <chakra.div fontWeight="semibold" mb="1.5">
        {label}
        <RequiredMark required={required} />
      </chakra.div>
      <Controller
        control={control}
        name={name}
        render={({ field: { value, onChange } }) => (
          <DropZone
            id={fieldId(name)}
            label={label}
            help={help}
            accept={accept}
            file={value instanceof File ? value : undefined}
            onChange={(file) => {
              onChange(file);
              // Errors of a file are shown before the rest of the form is filled in.
              if (file) void trigger(name);
            }}
            error={error}
          />
        )}
      />
    </div>
  );
}
