import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, ApiError, createApiClient } from '@portal/api-client';
import { companyAdminRoutes, fileRoutes, identityRoutes, tenantRoutes, userRoutes } from '@portal/contracts';

/** A unit with a company of its own, whose people have the devices: a fleet needs more licences than the demo has. */

export interface Company {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** Two, so that one can approve what the other asks for. */
  readonly admins: readonly string[];
  /** Of its admins and of all its people. */
  readonly password: string;
  /** The login ids of its people. */
  readonly people: readonly string[];
}

export interface CompanyOptions {
  readonly url: string;
  /** An administrator of the platform. */
  readonly administrator: { readonly email: string; readonly password: string };
  readonly code: string;
  readonly password: string;
  readonly devices: number;
  /** Told of what is under way. */
  readonly tell: (line: string) => void;
}

const unitName = 'Fleet';
const csvHeader = 'name,email,login_user_id,password,json,group_ids,delete_flag';
/** Every twentieth person tries what is new. */
const pilots = 20;

/** Makes what is not there yet, and brings it up to date: the same call may be made again, with more devices. */
export async function makeCompany(options: CompanyOptions): Promise<Company> {
  const { administrator, code, devices, password, tell, url } = options;
  const name = `Fleet ${code}`;
  const admins = [`admin@${code}.example`, `second@${code}.example`];
  const operator = await connect(url, async (api) =>
    api.call(identityRoutes.adminLogin, { body: administrator }),
  );
  const id = await withLicences(operator, { code, devices, name });
  for (const email of admins) {
    const body = { name: email.startsWith('admin') ? 'First admin' : 'Second admin', email, password };
    await unlessThere(
      eventually(() => operator.call(companyAdminRoutes.createPartnerAdmin, { params: { pid: id }, body })),
    );
  }
  tell(`The company "${name}" is there, with licences for ${devices} devices.`);

  const [email = ''] = admins;
  const api = await eventually(() =>
    connect(url, async (client) =>
      client.call(identityRoutes.partnerLogin, { body: { partnerCode: code, email, password } }),
    ),
  );
  // Most people have two devices.
  const people = Array.from({ length: Math.ceil(devices / 2) }, (_, index) => `${code}-${index + 1}`);
  await makePeople(api, { id, password, people, tell });
  return { id, code, name, admins, password, people };
}

/** A client with the token that `signIn` answers. */
async function connect(
  url: string,
  signIn: (api: ApiClient) => Promise<{ accessToken: string }>,
): Promise<ApiClient> {
  let token: string | undefined;
  const api = createApiClient({
    baseUrl: url,
    getToken: () => token,
    language: () => 'en',
    agent: 'example-fleet/1.0.0',
  });
  token = (await signIn(api)).accessToken;
  return api;
}

/** The company, with a licence for each device; its id. */
async function withLicences(
  api: ApiClient,
  { code, devices, name }: { readonly code: string; readonly devices: number; readonly name: string },
): Promise<number> {
  const units = await api.call(tenantRoutes.listUnits, { query: { name: unitName, perPage: 100 } });
  const unit = units.units.find((one) => one.unitName === unitName);
  const partners = await api.call(tenantRoutes.listPartners, { query: { code, perPage: 100 } });
  const known =
    'totalCount' in partners ? partners.partners.find(({ partnerCode }) => partnerCode === code) : undefined;
  const more = Math.max(0, devices - (known?.licenseCount ?? 0));
  const allocatedLicense = Math.max(unit?.allocatedLicense ?? 0, (unit?.consumedLicense ?? 0) + more);
  let unitId = unit?.unitId;
  if (unitId === undefined) {
    ({ id: unitId } = await api.call(tenantRoutes.createUnit, {
      body: { name: unitName, allocatedLicense },
    }));
  } else if (more > 0) {
    await api.call(tenantRoutes.updateUnit, { params: { id: unitId }, body: { allocatedLicense } });
  }
  if (known) {
    if (more > 0) {
      await api.call(tenantRoutes.updatePartner, {
        params: { pid: known.id },
        body: { licenseCount: devices },
      });
    }
    return known.id;
  }
  const { id } = await api.call(tenantRoutes.createPartner, {
    body: {
      name,
      unitId,
      partnerCode: code,
      contractRank: 'enterprise',
      licenseType: 'device',
      licenseCount: devices,
      licenseExpiredOn: null,
      userDeviceLimit: 0,
      uapFileLimit: 0,
      filePublicFlag: true,
    },
  });
  return id;
}

/** Imports those of `people` who are not there yet, each in a group. */
async function makePeople(
  api: ApiClient,
  {
    id: pid,
    password,
    people,
    tell,
  }: Pick<Company, 'id' | 'password' | 'people'> & Pick<CompanyOptions, 'tell'>,
): Promise<void> {
  const params = { pid };
  const { groups } = await api.call(userRoutes.listGroups, { params, query: { all: 'true' } });
  const groupIds: number[] = [];
  for (const name of ['Pilot', 'Stores', 'Offices']) {
    const known = groups.find((group) => group.name === name);
    groupIds.push(known?.id ?? (await api.call(userRoutes.createGroup, { params, body: { name } })).id);
  }
  const { totalCount } = await api.call(userRoutes.listUsers, { params, query: { perPage: 1 } });
  const missing = people.slice(totalCount);
  if (missing.length === 0) return;

  const [pilot, ...others] = groupIds;
  const lines = missing.map((login, index) => {
    const place = totalCount + index;
    const group = place % pilots === 0 ? pilot : others[place % others.length];
    return `Person ${place + 1},,${login},${password},,${group},0`;
  });
  const opened = await api.call(fileRoutes.createUserImport, { params, body: { fileName: 'fleet.csv' } });
  const put = await fetch(opened.signedUrl ?? '', {
    method: 'PUT',
    body: [csvHeader, ...lines, ''].join('\r\n'),
  });
  if (!put.ok) throw new Error(`The list of people was refused: ${put.status}`);
  await api.call(fileRoutes.completeUpload, { params: { uploadId: opened.uploadId }, body: {} });
  for (let last = ''; ; await sleep(500)) {
    const query = { batchProcessId: opened.batchProcessId };
    const { lineErrors, phase, progress, status } = await api.call(userRoutes.getUserImport, {
      params,
      query,
    });
    if (status === 'complete') return;
    if (status === 'failed') throw new Error(`The people were refused: ${lineErrors[0]?.message}`);
    const said = `People: ${phase}, ${Math.floor(progress * 10) * 10} %`;
    if (said !== last) tell(said);
    last = said;
  }
}

/** What was made elsewhere is known here a moment later. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof ApiError && [401, 402, 403, 404].includes(error.status);
      if (!mayPass || Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}

async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (!(error instanceof ApiError) || !['E40008', 'E40029'].includes(error.code)) throw error;
  }
}
