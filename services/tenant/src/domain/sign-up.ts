import { type Language, limits, type SignUpPurpose } from '@portal/contracts';
import { monthsAfterPlan } from './partner.ts';

/** What people sign up for by themselves. */
export type SignedUpRank = 'free' | 'trial';

/** What somebody says who signs a company up. */
export interface SignUpRequest {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly tel: string;
  readonly purpose?: SignUpPurpose | undefined;
  readonly agreedToTerms?: true | undefined;
  /** Absent: a free number. */
  readonly partnerCode?: string | undefined;
  /** The unit; 0: that of the settings. */
  readonly outsourcingId: number;
  readonly inheritParentExpiry: boolean;
  /** 0: none. */
  readonly appId: number;
}

/** How somebody is called in their language. */
export function personName(
  { firstName, lastName }: Pick<SignUpRequest, 'firstName' | 'lastName'>,
  language: Language,
): string {
  return language === 'ja' ? `${lastName} ${firstName}` : `${firstName} ${lastName}`;
}

/**
 * When a licence ends that begins now: with that of the partner that owns the unit where it inherits that, which may be never; else
 * after the term of the plan.
 */
export function endOfSignUp(
  rank: SignedUpRank,
  {
    inherits,
    owner,
  }: { readonly inherits: boolean; readonly owner: { licenseExpiredOn: Date | null } | null },
  now: Date,
): Date | null {
  return inherits && owner ? owner.licenseExpiredOn : monthsAfterPlan(rank, now);
}

/** When a partner is deleted that nobody activates. */
export const deletedAfter = (now: Date): Date => new Date(now.getTime() + limits.unactivatedRetention);

/** Until when a link in the mail is good. */
export const linkUntil = (now: Date): Date => new Date(now.getTime() + limits.activationLinkLifetime);
