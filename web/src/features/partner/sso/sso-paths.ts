import type { FlowDefinition } from '../../../ui/flow/flow-store.ts';
import type { SsoValues } from './sso-rules.ts';

const pathsBelow = (home: string) => ({
  home,
  form: `${home}/edit`,
  confirm: `${home}/confirm`,
  complete: `${home}/complete`,
  /** What the window of a test ends on. */
  test: `${home}/test`,
});

/** A company's own page, and that of a company which administrators look at. */
export const ssoPaths = pathsBelow('/partner/sso');
export const tenantSsoPaths = pathsBelow('/admin/partners/sso');

/** The same steps set it up and change it. */
const flow = (name: string, { complete, confirm, form }: typeof ssoPaths): FlowDefinition<SsoValues> => ({
  name,
  paths: { form, confirm, complete },
  memoryOnly: ['metadataFile'],
});

export const ssoFlow = flow('sso', ssoPaths);
export const tenantSsoFlow = flow('tenant-sso', tenantSsoPaths);
