import { useTranslation } from 'react-i18next';
import type { ProviderValues } from './use-sso.ts';

export const providers = ['entra', 'okta', 'google', 'keycloak'] as const;

export interface GuideStep {
  readonly text: string;
  /** What is entered where, as the product calls its field; null is the token, which only its maker has. */
  readonly fields?: readonly { readonly name: string; readonly value: string | null }[];
  /** What is downloaded here. */
  readonly download?: string;
}

interface Guide {
  readonly saml: readonly GuideStep[];
  readonly scim: readonly GuideStep[];
}

/** What the attributes are called that the steps have the provider send. */
const groupAttribute = 'groups';
const nameAttribute = 'displayName';

/** The steps at each provider, with the values of this company. */
export function useGuide(
  { acsUrl, entityId, scimUrl, sloUrl, spMetadataUrl }: ProviderValues,
  isSet: boolean,
): Readonly<Record<(typeof providers)[number], Guide>> {
  const { t } = useTranslation(['ssoGuide', 'sso']);
  const button = t(isSet ? 'sso:edit' : 'sso:create');
  const groupsHere = { name: t('here.groupAttribute'), value: groupAttribute };
  const enterAddress = { text: t('here.url', { button }), fields: [groupsHere] };
  const makeToken = { text: t('here.token') };
  const test = { text: t('here.test') };
  return {
    entra: {
      saml: [
        { text: t('entra.app') },
        {
          text: t('entra.basic'),
          fields: [
            { name: t('entra.basicFields.entityId'), value: entityId },
            { name: t('entra.basicFields.acsUrl'), value: acsUrl },
            { name: t('entra.basicFields.sloUrl'), value: sloUrl },
          ],
        },
        {
          text: t('entra.groups'),
          fields: [{ name: t('entra.groupFields.name'), value: groupAttribute }],
        },
        { text: t('entra.users') },
        { text: t('entra.metadata') },
        enterAddress,
        test,
      ],
      scim: [
        makeToken,
        {
          text: t('entra.scimConnect'),
          fields: [
            { name: t('entra.scimFields.url'), value: scimUrl },
            { name: t('entra.scimFields.token'), value: null },
          ],
        },
        { text: t('entra.scimStart') },
      ],
    },
    okta: {
      saml: [
        { text: t('okta.app') },
        {
          text: t('okta.saml'),
          fields: [
            { name: t('okta.samlFields.acsUrl'), value: acsUrl },
            { name: t('okta.samlFields.entityId'), value: entityId },
            { name: t('okta.samlFields.nameId'), value: 'EmailAddress' },
            { name: t('okta.samlFields.username'), value: 'Email' },
          ],
        },
        {
          text: t('okta.claims'),
          fields: [
            { name: t('okta.claimFields.name'), value: nameAttribute },
            { name: t('okta.claimFields.value'), value: t('okta.nameExpression') },
          ],
        },
        {
          text: t('okta.groups'),
          fields: [
            { name: t('okta.groupFields.name'), value: groupAttribute },
            { name: t('okta.groupFields.filter'), value: '.*' },
          ],
        },
        { text: t('okta.finish') },
        { text: t('okta.users') },
        { text: t('okta.metadata') },
        enterAddress,
        test,
      ],
      scim: [
        makeToken,
        { text: t('okta.scimOn') },
        {
          text: t('okta.scimConnect'),
          fields: [
            { name: t('okta.scimFields.url'), value: scimUrl },
            { name: t('okta.scimFields.unique'), value: 'userName' },
            { name: t('okta.scimFields.mode'), value: 'HTTP Header' },
            { name: t('okta.scimFields.token'), value: null },
          ],
        },
        { text: t('okta.scimStart') },
      ],
    },
    google: {
      saml: [
        { text: t('google.app') },
        { text: t('google.metadata') },
        {
          text: t('google.saml'),
          fields: [
            { name: t('google.samlFields.acsUrl'), value: acsUrl },
            { name: t('google.samlFields.entityId'), value: entityId },
            { name: t('google.samlFields.nameId'), value: 'EMAIL' },
            { name: t('google.samlFields.username'), value: t('google.primaryEmail') },
          ],
        },
        {
          text: t('google.claims'),
          fields: [
            { name: t('google.claimFields.source'), value: t('google.nameSource') },
            { name: t('google.claimFields.name'), value: nameAttribute },
          ],
        },
        {
          text: t('google.groups'),
          fields: [{ name: t('google.groupFields.name'), value: groupAttribute }],
        },
        { text: t('google.users') },
        { text: t('here.file', { button }), fields: [groupsHere] },
        test,
      ],
      scim: [{ text: t('google.noScim') }],
    },
    keycloak: {
      saml: [
        {
          text: t('keycloak.metadata', { button }),
          fields: [
            { name: t('keycloak.metadataFields.url'), value: t('keycloak.descriptor') },
            { name: t('keycloak.metadataFields.groupAttribute'), value: groupAttribute },
          ],
        },
        isSet ? { text: t('keycloak.download'), download: spMetadataUrl } : { text: t('keycloak.download') },
        { text: t('keycloak.app') },
        {
          text: t('keycloak.capabilities'),
          fields: [
            { name: t('keycloak.capabilityFields.nameId'), value: 'email' },
            { name: t('keycloak.capabilityFields.force'), value: 'On' },
          ],
        },
        {
          text: t('keycloak.claims'),
          fields: [
            { name: t('keycloak.claimFields.property'), value: t('keycloak.nameProperty') },
            { name: t('keycloak.claimFields.name'), value: nameAttribute },
          ],
        },
        {
          text: t('keycloak.groups'),
          fields: [{ name: t('keycloak.groupFields.name'), value: groupAttribute }],
        },
        test,
      ],
      scim: [
        {
          text: t('keycloak.noScim'),
          fields: [
            { name: t('keycloak.scimFields.url'), value: scimUrl },
            { name: t('keycloak.scimFields.token'), value: null },
          ],
        },
      ],
    },
  };
}
