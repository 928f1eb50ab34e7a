import { chakra, Flex } from '@chakra-ui/react';
import { cp932Length, pushLimits } from '@portal/contracts';
import { UsersRound } from 'lucide-react';
import { useMemo } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { RecordForm } from '../../../components/record/record-form-pages.tsx';
import { useFormat } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { Select } from '../../../ui/form/controls.tsx';
import { Field, type FieldProps, Fieldset, fieldId } from '../../../ui/form/field.tsx';
import { DateTimeField, RadioField, TextareaField, TextField } from '../../../ui/form/fields.tsx';
import { FormSection } from '../../../ui/form/form.tsx';
import { Tags } from '../../../ui/tags.tsx';
import { notificationPaths, notificationUsersPath } from './notification-paths.ts';
import { type Notification, type NotificationValues, notificationSchema } from './notification-rules.ts';
import { PhonePreview } from './phone-preview.tsx';
import { useCertificationOptions } from './use-certification-options.ts';

export function useNotificationLabels() {
  const { t } = useTranslation('pushNotifications');
  return {
    title: t('pushTitle'),
    message: t('message'),
    certificationId: t('certification'),
    deliverType: t('deliverType'),
    deliverDatetime: t('deliverDatetime'),
    deliverToType: t('deliverToType'),
    groupId: t('group'),
    users: t('users'),
    json: t('json'),
  };
}

interface NotificationFormProps {
  initial: NotificationValues;
  record?: Notification | undefined;
}

/** The form of a new notification and of one that waits, with what a phone will show beside it. */
export function NotificationForm({ initial, record: before }: NotificationFormProps) {
  const { t } = useTranslation('pushNotifications');
  const schema = useMemo(() => notificationSchema(() => new Date(), before?.deliverDatetime ?? ''), [before]);
  const form = useFlowForm<NotificationValues>(schema, initial, useNotificationLabels());
  const certifications = useCertificationOptions(before?.certificationId);
  const [title, message, deliverType, deliverDatetime, deliverToType] = form.form.watch([
    'title',
    'message',
    'deliverType',
    'deliverDatetime',
    'deliverToType',
  ]);
  const isScheduled = deliverType === 'deliverSchedule';
  return (
    <Flex gap="8" align="flex-start" direction={{ base: 'column', xl: 'row' }}>
      <chakra.div flex="1" minW="0" w="full" maxW="form">
        <RecordForm
          form={form}
          paths={notificationPaths}
          more={
            <>
              <FormSection title={t('when')}>
                <RadioField
                  {...form.field('deliverType')}
                  required
                  options={(['deliverNow', 'deliverSchedule'] as const).map((value) => ({
                    value,
                    label: t(`deliverTypes.${value}`),
                  }))}
                />
                {isScheduled && <DateTimeField {...form.field('deliverDatetime')} required />}
              </FormSection>
              <FormSection title={t('whom')}>
                <RadioField
                  {...form.field('deliverToType')}
                  required
                  options={(['all', 'group', 'users'] as const).map((value) => ({
                    value,
                    label: t(`deliverToTypes.${value}`),
                  }))}
                />
                {deliverToType === 'group' && <GroupField {...form.field('groupId')} required />}
                {deliverToType === 'users' && (
                  <UsersField
                    {...form.field('users')}
                    required
                    onLeave={() => form.flow.draft(form.form.getValues(), true)}
                  />
                )}
              </FormSection>
              <FormSection title={t('further')}>
                {certifications.length > 1 && (
                  <RadioField
                    {...form.field('certificationId')}
                    numeric
                    required
                    help={t('certificationHelp')}
                    options={certifications}
                  />
                )}
                <TextareaField {...form.field('json')} mono help={t('jsonHelp')} />
              </FormSection>
            </>
          }
        >
          <TextField
            {...form.field('title')}
            help={<BytesLeft text={title} most={pushLimits.titleBytes} />}
          />
          <TextareaField
            {...form.field('message')}
            required
            help={<BytesLeft text={message} most={pushLimits.messageBytes} />}
          />
        </RecordForm>
      </chakra.div>
      <PhonePreview title={title} message={message} at={isScheduled ? deliverDatetime : ''} />
    </Flex>
  );
}

/** How much of a text's room is left, in the bytes that the service counts. */
function BytesLeft({ most, text }: { text: string; most: number }) {
  const { t } = useTranslation('pushNotifications');
  const { number } = useFormat();
  const left = most - cp932Length(text);
  return left < 0 ? (
    <chakra.span color="fg.error">{t('tooLong', { count: number(-left) })}</chakra.span>
  ) : (
    t('left', { half: number(left), full: number(Math.floor(left / 2)) })
  );
}

function GroupField(field: FieldProps) {
  const { t } = useTranslation('pushNotifications');
  const { control } = useFormContext();
  const { data = [] } = usePickableGroups();
  return (
    <Field {...field}>
      {(attributes) => (
        <Controller
          control={control}
          name={field.name}
          render={({ field: { onBlur, onChange, value } }) => (
            <Select
              {...attributes}
              options={[
                { value: '0', label: t('chooseGroup') },
                ...data.map(({ id, title }) => ({ value: String(id), label: title })),
              ]}
              value={String(value)}
              onChange={(event) => onChange(Number(event.target.value))}
              onBlur={onBlur}
            />
          )}
        />
      )}
    </Field>
  );
}

/** So many are named before the rest is counted. */
const mostNamed = 20;

function UsersField({ onLeave, ...field }: FieldProps & { onLeave: () => void }) {
  const { t } = useTranslation('pushNotifications');
  const { number } = useFormat();
  const { watch } = useFormContext<NotificationValues>();
  const navigate = useNavigate();
  const { search } = useLocation();
  const users = watch('users');
  return (
    <Fieldset {...field}>
      <chakra.p role="status" mb="2">
        {t('chosen', { count: number(users.length), most: number(pushLimits.maxUsers) })}
      </chakra.p>
      {users.length > 0 && (
        <chakra.div mb="2">
          <Tags names={users.map(({ loginId }) => loginId)} none="" most={mostNamed} />
        </chakra.div>
      )}
      <Button
        id={fieldId(field.name)}
        variant="outline"
        icon={<UsersRound />}
        onClick={() => {
          onLeave();
          void navigate(notificationUsersPath.replace(/\/$/, search === '' ? '' : '/') + search);
        }}
      >
        {t(users.length === 0 ? 'chooseUsers' : 'changeUsers')}
      </Button>
    </Fieldset>
  );
}
