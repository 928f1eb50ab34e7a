import {
  type ContractApi,
  type ContractRank,
  contractRanks,
  formatDateTime,
  isLicenceOver,
  licenseTypes,
  limits,
  plans,
  type RouteReply,
  type RouteRequest,
  requiredLine,
  tenantRoutes,
} from '@portal/contracts';
import { z } from 'zod';
import { changedFields } from '../../../lib/changed-fields.ts';
import { bodyOf } from '../../../lib/contract-form.ts';
import { wholeNumber } from '../../../lib/whole-number.ts';
import type { PartnerValues } from './partner-flows.ts';

export type PartnerDetail = RouteReply<typeof tenantRoutes.getPartner>;
type NewBody = RouteRequest<typeof tenantRoutes.createPartner>['body'];
type EditedBody = RouteRequest<typeof tenantRoutes.updatePartner>['body'];

export const emptyPartner: PartnerValues = {
  name: '',
  partnerCode: '',
  unitId: 0,
  contractRank: '',
  licenseType: 'user',
  licenseCount: '',
  licenseExpiredOn: '',
  userDeviceLimit: '0',
  uapFileLimit: '',
  filePublicFlag: true,
  operationLogDownloadFlag: false,
  email: '',
  managers: '',
  lang: 'ja',
  timeZone: 'Asia/Tokyo',
  partnerItem: '',
  comment: '',
  json: '',
  createDemoUsers: false,
};

export const partnerValuesOf = (partner: PartnerDetail): PartnerValues => ({
  name: partner.name,
  partnerCode: partner.partnerCode,
  unitId: partner.unitId,
  contractRank: partner.contractRank,
  licenseType: partner.licenseType,
  licenseCount: String(partner.licenseCount),
  licenseExpiredOn: partner.licenseExpiredOn ?? '',
  userDeviceLimit: String(partner.userDeviceLimit),
  uapFileLimit: String(partner.uapFileLimit),
  filePublicFlag: partner.filePublicFlag,
  operationLogDownloadFlag: partner.operationLogDownloadFlag,
  email: partner.email ?? '',
  managers: partner.managers,
  lang: partner.lang,
  timeZone: partner.timeZone,
  partnerItem: partner.partnerItem,
  comment: partner.comment,
  json: partner.json,
  createDemoUsers: false,
});

/** Whether a user may be limited to some devices: where licences count devices at all. */
export const countsDevices = (rank: ContractRank | ''): boolean =>
  rank !== '' && plans[rank].licenseTypes.includes('device');

/** Why a rank cannot be chosen; free companies sign up themselves, and none becomes free. */
export function rankRefusal(
  rank: ContractRank,
  before: ContractRank | undefined,
): 'onlySignUp' | 'notBack' | undefined {
  if (rank !== 'free' || before === 'free') return undefined;
  return before === undefined ? 'onlySignUp' : 'notBack';
}

/** Whether no end means that there is none: the plan has no term, or of the same rank the company had none before. */
export const mayLast = (rank: ContractRank, before: PartnerDetail | undefined): boolean =>
  plans[rank].termMonths === null || (before?.contractRank === rank && before.licenseExpiredOn === null);

/**
 * What follows from choosing another rank: the licences that its plan has, unless others were typed, and a licence type that
 * it knows.
 */
export function withRank(values: PartnerValues, rank: ContractRank): PartnerValues {
  const plan = plans[rank];
  const before = values.contractRank === '' ? undefined : plans[values.contractRank];
  const isUntouched = (typed: string, of: number | undefined) => typed === '' || typed === String(of);
  const keepsType = plan.licenseTypes.includes(values.licenseType);
  return {
    ...values,
    contractRank: rank,
    licenseType: keepsType ? values.licenseType : 'user',
    licenseCount:
      plan.licensesAreFixed || isUntouched(values.licenseCount, before?.licenses)
        ? String(plan.licenses)
        : values.licenseCount,
    uapFileLimit: isUntouched(values.uapFileLimit, before?.files) ? String(plan.files) : values.uapFileLimit,
    ...((!keepsType || !countsDevices(rank)) && { userDeviceLimit: '0' }),
  };
}

/** What the tenant could do by `before` and cannot by `after`. */
export function featuresLost(before: ContractRank, after: ContractRank): ContractApi[] {
  return plans[before].apis.filter((one) => !plans[after].apis.includes(one));
}

/** When a licence that ends at `expiredOn` can be used for the last time, and what that means at `now`. */
export function effectOfEnd(expiredOn: string, now = new Date()) {
  const end = new Date(expiredOn);
  const last = new Date(end.getTime() + limits.licenceGracePeriod);
  const state = isLicenceOver(end, now) ? 'isOver' : end <= now ? 'endsInGrace' : 'ends';
  return { state, last: formatDateTime(last) } as const;
}

/** The same minute some months later, in the viewer's zone; the last day of a month where it has no such day. */
export function monthsLater(months: number, from = new Date()): string {
  const later = new Date(from);
  later.setMonth(later.getMonth() + months);
  if (later.getDate() !== from.getDate()) later.setDate(0);
  later.setSeconds(0, 0);
  return formatDateTime(later);
}

/** What people type between addresses: commas, and lines of their own. */
export const managersOf = (typed: string): string =>
  typed
    .split(/[,、\n]/)
    .map((address) => address.trim())
    .filter((address) => address !== '')
    .join(', ');

const { shape } = bodyOf(tenantRoutes.updatePartner);
const partnerCode = shape.partnerCode.unwrap();

interface Asked {
  /** Administrators of a unit are not asked for the unit: it is theirs. */
  readonly asksUnit: boolean;
  readonly before?: PartnerDetail | undefined;
}

/** The form of a new company, and of `before`. */
export function partnerSchema({ asksUnit, before }: Asked): z.ZodType<unknown, PartnerValues> {
  return z
    .object({
      name: requiredLine(limits.nameMaxLength),
      partnerCode: before ? partnerCode : z.union([z.literal(''), partnerCode]),
      unitId: asksUnit ? z.number().min(1, { error: 'required' }) : z.number(),
      contractRank: z.union([z.literal(''), z.enum(contractRanks)]),
      licenseType: z.enum(licenseTypes),
      licenseCount: z.string(),
      licenseExpiredOn: z.string(),
      userDeviceLimit: z.string(),
      uapFileLimit: z.string(),
      filePublicFlag: z.boolean(),
      operationLogDownloadFlag: z.boolean(),
      email: shape.email.unwrap().unwrap(),
      managers: z.string().transform(managersOf).pipe(shape.managers.unwrap().unwrap()),
      lang: z.enum(['ja', 'en']),
      timeZone: shape.timeZone.unwrap(),
      partnerItem: shape.partnerItem.unwrap().unwrap(),
      comment: shape.comment.unwrap().unwrap(),
      json: shape.json.unwrap().unwrap(),
      createDemoUsers: z.boolean(),
    })
    .superRefine((values, context) => {
      // Numbers are looked at here: an empty one of the shape would hold back all of these rules, that on the plan too.
      const { contractRank, licenseExpiredOn } = values;
      const refuse = (field: keyof PartnerValues, message: string) =>
        context.addIssue({ code: 'custom', path: [field], message });
      const expectNumber = (
        field: 'licenseCount' | 'uapFileLimit' | 'userDeviceLimit',
        from: number,
        to: number,
      ) => {
        const { error } = wholeNumber(from, to).safeParse(values[field]);
        for (const { message } of error?.issues.slice(0, 1) ?? []) refuse(field, message);
      };
      // The choice of a plan fills the numbers.
      if (contractRank === '') return refuse('contractRank', 'required');
      if (rankRefusal(contractRank, before?.contractRank)) refuse('contractRank', 'invalidValue');
      const { licenses, licensesAreFixed } = plans[contractRank];
      expectNumber('licenseCount', 1, licensesAreFixed ? licenses : limits.maxLicenseCount);
      if (before && licenseExpiredOn === '' && !mayLast(contractRank, before))
        refuse('licenseExpiredOn', 'required');
      expectNumber('uapFileLimit', 0, limits.maxUapFileLimit);
      if (countsDevices(contractRank)) expectNumber('userDeviceLimit', 0, limits.maxDeviceCount);
    });
}

/** What is sent of the fields that both calls take alike. */
function fieldsOf(values: PartnerValues) {
  const { contractRank, licenseCount, licenseExpiredOn, partnerCode, uapFileLimit, unitId, ...others } =
    values;
  const { createDemoUsers: _, userDeviceLimit, ...plain } = others;
  return {
    ...plain,
    partnerCode,
    unitId,
    licenseCount: Number(licenseCount),
    licenseExpiredOn: licenseExpiredOn === '' ? null : licenseExpiredOn,
    uapFileLimit: Number(uapFileLimit),
    managers: managersOf(values.managers),
    // Left out where licences do not count devices.
    ...(countsDevices(contractRank) && { userDeviceLimit: Number(userDeviceLimit) }),
    ...(contractRank !== '' && { contractRank }),
  };
}

/** Without a code the company gets a free number, and without an end a trial has the term of its plan. */
export function newPartnerBody(values: PartnerValues, { asksUnit }: Asked): NewBody {
  const { contractRank = 'trial', licenseExpiredOn, partnerCode, unitId, ...body } = fieldsOf(values);
  const hasTerm = plans[contractRank].termMonths !== null;
  return {
    ...body,
    contractRank,
    ...(partnerCode !== '' && { partnerCode }),
    ...(asksUnit && { unitId }),
    ...(values.createDemoUsers && { createDemoUsers: true }),
    ...((licenseExpiredOn !== null || !hasTerm) && { licenseExpiredOn }),
  };
}

/** What differs from `before`, with which the form was filled. */
export function editedPartnerBody(
  values: PartnerValues,
  { asksUnit, before }: Pick<Asked, 'asksUnit'> & { readonly before: PartnerValues | undefined },
): EditedBody {
  const { unitId, ...changed } = changedFields(fieldsOf(values), before && fieldsOf(before));
  return { ...changed, ...(asksUnit && unitId !== undefined && { unitId }) };
}
