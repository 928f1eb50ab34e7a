import {
  limits,
  type RouteReply,
  type RouteRequest,
  requiredLine,
  type tenantRoutes,
} from '@portal/contracts';
import { z } from 'zod';

export type UnitValues = {
  name: string;
  /** As it is typed. */
  allocatedLicense: string;
  /** 0 for none. */
  ownerPartnerid: number;
  canForceDistributeApp: boolean;
};

export const emptyUnit: UnitValues = {
  name: '',
  allocatedLicense: '',
  ownerPartnerid: 0,
  canForceDistributeApp: false,
};

export const unitValuesOf = (unit: RouteReply<typeof tenantRoutes.getUnit>): UnitValues => ({
  name: unit.unitName,
  allocatedLicense: String(unit.allocatedLicense),
  ownerPartnerid: unit.ownerPartnerid,
  canForceDistributeApp: unit.canForceDistributeApp,
});

/** A unit cannot have fewer licences than its companies have already (`consumed`). */
export const unitSchema = (consumed: number): z.ZodType<UnitValues, UnitValues> =>
  z.object({
    name: requiredLine(limits.nameMaxLength),
    allocatedLicense: z
      .string()
      .regex(/\S/, { error: 'required', abort: true })
      .refine(
        (typed) =>
          /^\s*\d{1,9}\s*$/.test(typed) &&
          Number(typed) >= consumed &&
          Number(typed) <= limits.maxAllocatedLicense,
        { error: 'outOfRange' },
      ),
    ownerPartnerid: z.number(),
    canForceDistributeApp: z.boolean(),
  });

export const unitBody = ({
  allocatedLicense,
  ...values
}: UnitValues): RouteRequest<typeof tenantRoutes.createUnit>['body'] => ({
  ...values,
  allocatedLicense: Number(allocatedLicense),
});
