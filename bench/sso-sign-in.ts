import { send, signIn } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { honest, type Keys, newId, newKeys, posted, type Said } from '@portal/testing/saml-provider';
import { IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify';
import { requireSchema } from '../services/sso/src/saml/schema.ts';
import { type Benchmark, percent } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';

const target = 0.4;
const callers = 8;
/** Each for a person of their own, so that no sign-in waits for another's row lock. */
const users = 200;
const rounds = 3;
const perRound = 400;
const partnerId = 1;
const issuer = 'https://idp.example.com/metadata';
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/**
 * Responses of an identity provider that the ACS accepts, against what samlify alone takes to validate the same response, in a loop in a
 * process of its own kind: schemas, signature, times. What a sign-in costs besides is what is missing.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const keys = await newKeys();
    await setUp(product, keys);
    const rates = { bare: 0, product: 0 };
    // Until the machine is warm.
    await acceptAll(product, await newResponses(product, keys, 200));
    const bare = bareValidation(product, keys);
    await perSecond(2, bare);
    for (let round = 0; round < rounds; round += 1) {
      // They are signed before: that is the provider's work.
      const responses = await newResponses(product, keys, perRound);
      rates.bare += (await perSecond(3, bare)) / rounds;
      rates.product += (await acceptAll(product, responses)) / rounds;
    }
    const ratio = rates.product / rates.bare;
    return [
      {
        what: 'Sign-ins by SAML that the ACS accepts, against one bare validation by samlify',
        target: `${percent(target)} of its rate`,
        measured: percent(ratio),
        value: ratio,
        better: 'higher',
        detail: `${rates.product.toFixed(1)} sign-ins/s, ${rates.bare.toFixed(1)} validations/s`,
        met: ratio >= target,
      },
    ];
  } finally {
    await product.remove();
  }
};

/** A setting with this provider, and people who come by it. */
async function setUp(product: Product, { certificate }: Keys): Promise<void> {
  const token = await signIn(product, '1000', 'partner@example.com');
  const metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`;
  const body = { metadata: Buffer.from(metadata).toString('base64') };
  const made = await send(product, 'POST', `/v1/partner/partners/${partnerId}/sso`, { token, body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  await withDatabase(product, 'portal_user', async (client) => {
    await client.query(
      `INSERT INTO accounts (partner_id, name, name_key, login_user_id, login_user_id_key, role, is_user,
         max_device_count_limited_flag, max_device_count, created_at, updated_at)
       SELECT $1, login, login, login, login, 0, true, false, 0, now(), now()
       FROM (SELECT 'bench-' || i AS login FROM generate_series(0, $2::integer - 1) i) made`,
      [partnerId, users],
    );
  });
}

const acsOf = ({ url }: Product) => `${url}/v1/user/login/sso/acs`;

function responseTo(product: Product, keys: Keys, requestId: string, place: number): string {
  const said: Said = {
    issuer,
    audience: `${product.url}/v1/user/login/sso/metadata/1000`,
    acsUrl: acsOf(product),
    requestId,
    now: Date.now(),
    nameId: `bench-${place % users}`,
    attributes: { displayName: ['Bench'], department: ['Sales', 'Support'] },
  };
  return posted(honest(said, { keys }));
}

/** Responses to requests that are open. */
async function newResponses(product: Product, keys: Keys, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await withDatabase(product, 'portal_sso', async (client) => {
    await client.query(
      `INSERT INTO saml_requests (id, partner_id, kind, redirect_url, code_challenge, expires_at)
       SELECT id, $1, 'signIn', 'http://127.0.0.1:1/callback', repeat('x', 43), now() + interval '10 minutes'
       FROM unnest($2::text[]) id`,
      [partnerId, ids],
    );
  });
  return ids.map((id, place) => responseTo(product, keys, id, place));
}

/** Answers how many are accepted in a second. */
async function acceptAll(product: Product, responses: readonly string[]): Promise<number> {
  const left = [...responses];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let response = left.pop(); response !== undefined; response = left.pop()) {
        const body = new URLSearchParams({ SAMLResponse: response });
        const reply = await fetch(acsOf(product), { method: 'POST', body, redirect: 'manual' });
        await reply.arrayBuffer();
        const location = reply.headers.get('location') ?? '';
        if (!location.includes('?code=')) throw new Error(`Not accepted: ${reply.status} ${location}`);
      }
    }),
  );
  return responses.length / ((performance.now() - begun) / 1000);
}

/** One validation by samlify, with the same check against the schemas as the product's. */
function bareValidation(product: Product, keys: Keys): () => Promise<unknown> {
  setSchemaValidator({
    async validate(text: string) {
      requireSchema(text);
      return 'valid';
    },
  });
  const ours = ServiceProvider({
    entityID: `${product.url}/v1/user/login/sso/metadata/1000`,
    wantAssertionsSigned: true,
    assertionConsumerService: [{ Binding: post, Location: acsOf(product) }],
  });
  const theirs = IdentityProvider({
    entityID: issuer,
    signingCert: keys.certificate,
    singleSignOnService: [{ Binding: post, Location: 'https://idp.example.com/sso' }],
    singleLogoutService: [{ Binding: post, Location: 'https://idp.example.com/slo' }],
  });
  const body = { SAMLResponse: responseTo(product, keys, newId(), 0) };
  return async () => ours.parseLoginResponse(theirs, 'post', { body });
}

async function perSecond(forSeconds: number, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const end = begun + forSeconds * 1000;
  let done = 0;
  while (performance.now() < end) {
    await work();
    done += 1;
  }
  return done / ((performance.now() - begun) / 1000);
}
