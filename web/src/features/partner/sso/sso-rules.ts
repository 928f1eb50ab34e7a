import { type RouteReply, ssoLimits, ssoRoutes } from '@portal/contracts';
import { z } from 'zod';
import { base64Of } from '../../../lib/base64.ts';
import { changedFields } from '../../../lib/changed-fields.ts';
import { bodyOf } from '../../../lib/contract-form.ts';
import { metadataFacts } from './metadata-facts.ts';

export type SsoSetting = RouteReply<typeof ssoRoutes.getSso>;

export const metadataSources = ['url', 'file', 'text'] as const;
type MetadataSource = (typeof metadataSources)[number] | 'kept';

export type SsoValues = {
  /** Where the metadata comes from; `kept` of a setting that is there, whose address is not asked again. */
  metadataSource: MetadataSource;
  metadataUrl: string;
  metadataFile: File | undefined;
  metadata: string;
  useSsoFlag: boolean;
  ssoOnly: boolean;
  usernameAttribute: string;
  groupAttribute: string;
  /** 0 for none. */
  defaultGroup: number;
  loginUrl: string;
  entityIdSuffix: string;
};

export const emptySso: SsoValues = {
  metadataSource: 'url',
  metadataUrl: '',
  metadataFile: undefined,
  metadata: '',
  useSsoFlag: true,
  ssoOnly: false,
  usernameAttribute: '',
  groupAttribute: '',
  defaultGroup: 0,
  loginUrl: '',
  entityIdSuffix: '',
};

export const ssoValuesOf = (setting: SsoSetting): SsoValues => ({
  ...emptySso,
  metadataSource: 'kept',
  metadataUrl: setting.metadataUrl ?? '',
  useSsoFlag: setting.useSsoFlag,
  ssoOnly: setting.ssoOnly,
  usernameAttribute: setting.usernameAttribute ?? '',
  groupAttribute: setting.groupAttribute ?? '',
  defaultGroup: setting.defaultGroup ?? 0,
  loginUrl: setting.loginUrl ?? '',
  entityIdSuffix: setting.entityIdSuffix ?? '',
});

type Metadata = Pick<SsoValues, 'metadata' | 'metadataFile' | 'metadataSource'>;

/** The XML that was chosen or pasted. */
export const givenMetadata = async ({ metadata, metadataFile, metadataSource }: Metadata): Promise<string> =>
  (metadataSource === 'file' ? ((await metadataFile?.text()) ?? '') : metadata).trim();

type Fault = 'fileTooLarge' | 'invalidValue' | 'required' | 'samlMetadata';

async function metadataFault(values: Metadata): Promise<Fault | undefined> {
  if (values.metadataSource === 'file' && (values.metadataFile?.size ?? 0) > ssoLimits.maxMetadataSize)
    return 'fileTooLarge';
  const xml = await givenMetadata(values);
  if (xml === '') return 'required';
  if (new Blob([xml]).size > ssoLimits.maxMetadataSize) return 'fileTooLarge';
  return metadataFacts(xml) ? undefined : 'samlMetadata';
}

const fields = bodyOf(ssoRoutes.createSso).shape;

/** A text that the call takes. */
const entered = (field: z.ZodType) =>
  z.string().refine((text) => field.safeParse(text.trim()).success, { error: 'invalidValue' });

function addressFault(address: string): Fault | undefined {
  if (address.trim() === '') return 'required';
  return fields.metadataUrl.safeParse(address.trim()).success ? undefined : 'invalidValue';
}

const fieldOfSource = { url: 'metadataUrl', file: 'metadataFile', text: 'metadata' } as const;

/** The rules of the form: those of the call, and of the metadata what a browser can see. */
export const ssoSchema: z.ZodType<unknown, SsoValues> = z
  .object({
    metadataSource: z.enum([...metadataSources, 'kept']),
    metadataUrl: z.string(),
    metadataFile: z.custom<File | undefined>(),
    metadata: z.string(),
    useSsoFlag: z.boolean(),
    ssoOnly: z.boolean(),
    usernameAttribute: entered(fields.usernameAttribute),
    groupAttribute: entered(fields.groupAttribute),
    defaultGroup: z.number(),
    loginUrl: entered(fields.loginUrl),
    entityIdSuffix: entered(fields.entityIdSuffix),
  })
  .superRefine(async (values, context) => {
    const { metadataSource: source } = values;
    if (source === 'kept') return;
    const fault = source === 'url' ? addressFault(values.metadataUrl) : await metadataFault(values);
    if (fault) context.addIssue({ code: 'custom', path: [fieldOfSource[source]], message: fault });
  });

async function metadataBody(values: SsoValues) {
  const { metadataSource, metadataUrl } = values;
  if (metadataSource === 'kept') return {};
  if (metadataSource === 'url') return { metadataUrl: metadataUrl.trim() };
  return { metadata: await base64Of(new Blob([await givenMetadata(values)])), metadataUrl: null };
}

const settingsOf = (values: SsoValues) => ({
  useSsoFlag: values.useSsoFlag,
  // Without single sign-on nobody but the admins could sign in at all.
  ssoOnly: values.useSsoFlag && values.ssoOnly,
  usernameAttribute: values.usernameAttribute.trim(),
  groupAttribute: values.groupAttribute.trim(),
  defaultGroup: values.defaultGroup === 0 ? null : values.defaultGroup,
  loginUrl: values.loginUrl.trim(),
  entityIdSuffix: values.entityIdSuffix.trim(),
});

/** What the calls take of what was entered. */
export const ssoBody = async (values: SsoValues) => ({
  ...(await metadataBody(values)),
  ...settingsOf(values),
});

/**
 * What is sent of a setting that stands: what differs from `before`, with which the form was filled. Where the metadata comes from is
 * named anyway, since it is read when one saves.
 */
export const editedSsoBody = async (values: SsoValues, before: SsoValues | undefined) => ({
  ...changedFields(settingsOf(values), before && settingsOf(before)),
  ...(await metadataBody(values)),
});
