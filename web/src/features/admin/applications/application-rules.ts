import {
  type applicationRoutes,
  limits,
  type RouteReply,
  type RouteRequest,
  requiredLine,
} from '@portal/contracts';
import { z } from 'zod';
import { packageFile } from '../../../components/files/package-rules.ts';
import {
  initialPlan,
  type PlanValues,
  planField,
  rolloutBody,
} from '../../../components/rollout/plan-values.ts';
import { chosenFileOf } from '../../../components/upload/chosen-file.ts';

export type Application = RouteReply<typeof applicationRoutes.getApplication>;

export type ApplicationValues = {
  name: string;
  /** As the choice has it. */
  saleType: string;
  to: 'all' | 'named';
  partnerIds: number[];
  /** A company that is chosen at this moment, on its way into the list; 0: none. */
  addedPartner: number;
  file: File | undefined;
  /** How a new version goes out. */
  rollout: PlanValues;
};

export const emptyApplication = (saleType: applicationRoutes.SaleType): ApplicationValues => ({
  name: '',
  saleType: String(saleType),
  to: 'named',
  partnerIds: [],
  addedPartner: 0,
  file: undefined,
  rollout: initialPlan('atOnce'),
});

export const applicationValuesOf = (application: Application): ApplicationValues => ({
  name: application.name,
  saleType: String(application.saleType),
  to: application.allDeliverFlag ? 'all' : 'named',
  partnerIds: application.partners.map(({ id }) => id),
  addedPartner: 0,
  file: undefined,
  rollout: initialPlan('atOnce'),
});

/** A new one needs its bytes, of the kind that is named; another version comes under the same file name. */
export const applicationSchema = (
  kind: string,
  before: Pick<Application, 'fileName'> | undefined,
): z.ZodType<ApplicationValues, ApplicationValues> =>
  z
    .object({
      name: requiredLine(limits.nameMaxLength),
      saleType: z.string(),
      to: z.enum(['all', 'named']),
      partnerIds: z.array(z.number()).max(limits.maxDestinations),
      addedPartner: z.number(),
      rollout: planField,
      file: packageFile(before ? { sameNameAs: before.fileName } : { requiredKind: kind }),
    })
    .superRefine(({ partnerIds, to }, context) => {
      if (to === 'named' && partnerIds.length === 0) {
        context.addIssue({ code: 'custom', path: ['partnerIds'], message: 'required' });
      }
    });

const destinationOf = ({ partnerIds, to }: ApplicationValues) =>
  to === 'all' ? { allDeliverFlag: true } : { partnerIds };

export async function newApplicationBody(
  values: ApplicationValues,
): Promise<RouteRequest<typeof applicationRoutes.createApplication>['body']> {
  const { file, name, saleType } = values;
  if (!file) throw new Error('The form requires a file');
  return {
    name,
    saleType: saleType === '1' ? 1 : 2,
    ...destinationOf(values),
    ...(await chosenFileOf(file)),
  };
}

export async function editedApplicationBody(
  values: ApplicationValues,
): Promise<RouteRequest<typeof applicationRoutes.updateApplication>['body']> {
  const { file, name, rollout } = values;
  const newVersion = file && { ...(await chosenFileOf(file)), ...rolloutBody(rollout) };
  return { name, ...destinationOf(values), ...newVersion };
}
