import { chakra, Flex } from '@chakra-ui/react';
import { limits, userRoleBits } from '@portal/contracts';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { GroupPicker, type PickableGroup } from '../../../components/groups/group-picker.tsx';
import { usePickableGroups } from '../../../components/groups/use-pickable-groups.ts';
import { usePasswordCheck } from '../../../components/use-password-check.ts';
import { type UserDetail, userListPath } from '../../../components/users/user.ts';
import { roleNames, UserGroups, useRoleNames } from '../../../components/users/user-parts.tsx';
import { failureOf } from '../../../lib/contract-form.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { useFlowForm } from '../../../ui/flow/flow.tsx';
import { type FieldProps, Fieldset, fieldId } from '../../../ui/form/field.tsx';
import {
  CheckboxField,
  PasswordField,
  RadioField,
  TextareaField,
  TextField,
} from '../../../ui/form/fields.tsx';
import { Form, FormSection } from '../../../ui/form/form.tsx';
import { changedItem, type DescriptionItem } from '../../../ui/page/description-list.tsx';
import { DevicesField } from './devices-field.tsx';
import { type Device, type UserValues } from './user-flows.ts';
import { editedSelfSchema, editedUserSchema, emptyUser, newUserSchema, userValuesOf } from './user-rules.ts';

function useUserLabels() {
  const { t } = useTranslation('users');
  return {
    name: t('name'),
    loginIdType: t('loginIdType'),
    email: t('email'),
    loginUserId: t('loginUserId'),
    password: t('password'),
    role: t('role'),
    groupIds: t('groups'),
    isMaxDeviceCountLimited: t('limitDevices'),
    maxDeviceCount: t('maxDeviceCount'),
    json: t('json'),
    removedUuids: t('devices.title'),
  };
}

interface UserFormProps {
  /** Who is edited; a new user without. */
  user?: UserDetail;
  groups: readonly PickableGroup[];
}

/** The form of a new user and of one that is edited. */
export function UserForm({ user, groups }: UserFormProps) {
  const { t } = useTranslation(['users', 'ui', 'auth']);
  const format = useFormat();
  const isAccepted = usePasswordCheck();
  const { partner, user: self } = usePartnerSession();
  const form = useFlowForm<UserValues>(
    schemaOf(user, self.id),
    user ? userValuesOf(user) : emptyUser,
    useUserLabels(),
  );
  const { watch } = form.form;
  const byEmail = watch('loginIdType') === 'email';

  const toConfirm = useAction({
    mutationFn: ({ password }: UserValues) => isAccepted(byEmail ? '' : password),
    async onSuccess(accepted, values) {
      if (accepted) return form.flow.confirm(values);
      await form.reject('password', 'guessablePassword');
      form.form.setFocus('password');
    },
    onError: (error) => form.fail(failureOf(error)),
  });

  return (
    <Form
      form={form}
      submitLabel={t('ui:toConfirm')}
      pending={toConfirm.isPending}
      // A group that has gone meanwhile can't be seen, so it can't be meant.
      onSubmit={(values) =>
        toConfirm.mutate({
          ...values,
          groupIds: values.groupIds.filter((id) => groups.some((group) => group.id === id)),
        })
      }
      cancel={
        <ButtonLink to={userListPath} size="md" variant="outline" colorPalette="gray">
          {t('ui:cancel')}
        </ButtonLink>
      }
    >
      <FormSection title={t('sections.login')}>
        <TextField {...form.field('name')} required />
        {!user && (
          <RadioField
            {...form.field('loginIdType')}
            required
            help={t('loginIdTypeHelp')}
            options={[
              { value: 'email', label: t('email') },
              { value: 'loginUserId', label: t('loginUserId') },
            ]}
          />
        )}
        {byEmail ? (
          <TextField
            {...form.field('email')}
            required
            type="email"
            inputMode="email"
            help={user ? undefined : t('emailHelp')}
          />
        ) : (
          <>
            <TextField {...form.field('loginUserId')} required width="20rem" help={t('loginUserIdHelp')} />
            <PasswordField
              {...form.field('password')}
              required={!user}
              autoComplete="new-password"
              help={user ? t('passwordEditHelp') : t('auth:passwordHelp')}
            />
          </>
        )}
      </FormSection>
      <FormSection title={t('sections.rights')}>
        <RolesField {...form.field('role')} help={t('roleHelp')} />
        <GroupsField {...form.field('groupIds')} groups={groups} help={t('groupsHelp')} />
      </FormSection>
      <FormSection title={t('sections.more')}>
        {partner.licenseType === 'user' && (
          <>
            <CheckboxField {...form.field('isMaxDeviceCountLimited')} help={t('limitDevicesHelp')} />
            {watch('isMaxDeviceCountLimited') && (
              <TextField
                {...form.field('maxDeviceCount')}
                required
                inputMode="numeric"
                width="8rem"
                help={t('maxDeviceCountHelp', { max: format.number(limits.maxDeviceCount) })}
              />
            )}
          </>
        )}
        <TextareaField {...form.field('json')} mono help={t('jsonHelp')} />
      </FormSection>
      {user && (
        <FormSection title={t('devices.title')}>
          <DevicesField devices={user.platforms} />
        </FormSection>
      )}
    </Form>
  );
}

function schemaOf(user: UserDetail | undefined, selfId: number) {
  if (!user) return newUserSchema;
  return user.id === selfId ? editedSelfSchema : editedUserSchema;
}

/** Several roles may be held; without any the user has the player alone. */
function RolesField(question: FieldProps) {
  const { t } = useTranslation('users');
  const { control } = useFormContext();
  return (
    <Fieldset {...question}>
      <Controller
        control={control}
        name={question.name}
        render={({ field }) => (
          <Flex direction="column" gap="1">
            {roleNames.map((name, index) => (
              <chakra.label key={name} display="flex" alignItems="flex-start" gap="2" py="1" cursor="pointer">
                <chakra.input
                  type="checkbox"
                  boxSize="4"
                  flexShrink="0"
                  mt="0.5"
                  accentColor="accent.solid"
                  id={index === 0 ? fieldId(question.name) : undefined}
                  checked={(field.value & userRoleBits[name]) !== 0}
                  onChange={() => field.onChange(field.value ^ userRoleBits[name])}
                  onBlur={field.onBlur}
                />
                <span>
                  {t(`roles.${name}`)}
                  <chakra.span display="block" fontSize="xs" color="fg.muted">
                    {t(`roleMeans.${name}`)}
                  </chakra.span>
                </span>
              </chakra.label>
            ))}
          </Flex>
        )}
      />
    </Fieldset>
  );
}

function GroupsField({ groups, ...question }: FieldProps & { groups: readonly PickableGroup[] }) {
  const { control } = useFormContext();
  return (
    <Fieldset {...question}>
      <Controller
        control={control}
        name={question.name}
        render={({ field }) => (
          <GroupPicker
            groups={groups}
            chosen={field.value}
            onChange={field.onChange}
            id={fieldId(question.name)}
          />
        )}
      />
    </Fieldset>
  );
}

/** What the confirmation shows; with what was before, changes are marked. Devices are taken away of `devices`. */
export function useUserItems(
  values: UserValues | undefined,
  before?: UserValues,
  devices: readonly Device[] = [],
): DescriptionItem[] {
  const { t } = useTranslation(['users', 'ui']);
  const labels = useUserLabels();
  const format = useFormat();
  const namesOfRole = useRoleNames();
  const groups = usePickableGroups();
  const { partner } = usePartnerSession();
  if (!values) return [];
  const textOrNone = (value: string) => (value === '' ? t('ui:none') : value);
  const titleOf = (id: number) => ({
    id,
    name: groups.data?.find((one) => one.id === id)?.title ?? `#${id}`,
  });
  const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
  const limit = ({ isMaxDeviceCountLimited, maxDeviceCount }: UserValues) =>
    isMaxDeviceCountLimited
      ? t('deviceCount', { count: format.number(Number(maxDeviceCount)) })
      : t('unlimited');
  const byEmail = values.loginIdType === 'email';
  return [
    changedItem(labels.name, values.name, before?.name, textOrNone),
    byEmail
      ? changedItem(labels.email, values.email, before?.email, textOrNone)
      : changedItem(labels.loginUserId, values.loginUserId, before?.loginUserId, textOrNone),
    ...(byEmail ? [] : [passwordItem(labels.password, t, values.password, before !== undefined)]),
    changedItem(labels.role, values.role, before?.role, (role) => namesOfRole(role).join(', ')),
    changedItem(labels.groupIds, sorted(values.groupIds), before && sorted(before.groupIds), (ids) => (
      <UserGroups groups={ids.map(titleOf)} all />
    )),
    ...(partner.licenseType === 'user'
      ? [changedItem(labels.maxDeviceCount, limit(values), before && limit(before), textOrNone)]
      : []),
    changedItem(labels.json, values.json, before?.json, textOrNone),
    ...(values.removedUuids.length > 0
      ? [removedItem(t('devices.removed'), devices, values.removedUuids)]
      : []),
  ];
}

function passwordItem(
  label: string,
  t: (key: 'passwordHidden' | 'passwordKept' | 'passwordChanged') => string,
  password: string,
  editing: boolean,
): DescriptionItem {
  if (!editing) return { label, value: t('passwordHidden') };
  if (password === '') return { label, value: t('passwordKept') };
  return { label, value: t('passwordChanged'), changed: true };
}

function removedItem(label: string, devices: readonly Device[], removed: readonly string[]): DescriptionItem {
  const names = devices.filter(({ uuid }) => removed.includes(uuid)).map(({ name, uuid }) => name || uuid);
  return { label, value: names.join('\n'), changed: true };
}
