import type { ssoGuide as ja } from '../ja/sso-guide.ts';
import type { Translation } from '../translation.ts';

export const ssoGuide: Translation<typeof ja> = {
  title: 'How to register it',
  lead: 'Choose your identity provider. It takes about five minutes.',
  provider: 'Identity provider',
  saml: 'Sign-in (SAML)',
  scim: 'Provisioning of people and groups (SCIM)',
  field: 'Field',
  value: 'Value',
  copy: 'Copy the value of “{{name}}”',
  yourToken: 'The token that you made',
  download: 'Download the metadata of this portal',
  here: {
    url: 'On this page press “{{button}}”, have the metadata read from an address, paste the address that you copied, and save. If groups are to be kept alike too, also fill in:',
    file: 'On this page press “{{button}}”, choose the file that you downloaded as the metadata, and save. If groups are to be kept alike too, also fill in:',
    groupAttribute: 'Attribute with the groups',
    token: 'On this page press “Create a token” and copy the token that is shown.',
    test: 'On this page press “Test” to make sure that people can sign in.',
  },
  entra: {
    name: 'Microsoft Entra ID',
    app: 'In the Microsoft Entra admin center (entra.microsoft.com) open “Enterprise apps” and choose “New application”, then “Create your own application”. Enter a name, choose “Integrate any other application you don’t find in the gallery (Non-gallery)”, and press “Create”.',
    basic:
      'Open “Single sign-on”, choose “SAML”, press “Edit” at “Basic SAML Configuration”, paste these values, and save.',
    basicFields: {
      entityId: 'Identifier (Entity ID)',
      acsUrl: 'Reply URL (Assertion Consumer Service URL)',
      sloUrl: 'Logout Url (Optional)',
    },
    groups:
      'If groups are to be kept alike too, press “Edit” at “Attributes & Claims”, then “Add a group claim”, choose “Groups assigned to the application”, and as source attribute “Cloud-only group display names” (for groups of an on-premises Active Directory “sAMAccountName”). Under “Advanced options” tick “Customize the name of the group claim”, enter this name, and save.',
    groupFields: { name: 'Name' },
    metadata: 'At “SAML Certificates” copy the “App Federation Metadata Url”.',
    users: 'At “Users and groups” add the people and groups who may sign in.',
    scimConnect:
      'In the same application open “Provisioning” and “New configuration” (on the earlier page set “Provisioning Mode” to “Automatic”), paste these values, press “Test Connection”, and create or save it.',
    scimFields: { url: 'Tenant URL', token: 'Secret Token' },
    scimStart:
      'See that the people and groups are among “Users and groups”, and press “Start provisioning”. The attribute mapping works as it is. Changes arrive about every 40 minutes.',
  },
  okta: {
    name: 'Okta',
    app: 'In the Okta Admin Console open “Applications”, “Applications”, press “Create App Integration”, choose “SAML 2.0”, and press “Next”. Enter an “App name” and press “Next”.',
    saml: 'Enter these values at “Configure SAML”. Leave “Use this for Recipient URL and Destination URL” ticked.',
    samlFields: {
      acsUrl: 'Single sign-on URL',
      entityId: 'Audience URI (SP Entity ID)',
      nameId: 'Name ID format',
      username: 'Application username',
    },
    claims:
      'Add this at “Attribute Statements”, so that names are told. Newer consoles have it on the “Sign On” tab once the app is there, with the expression user.profile.firstName + " " + user.profile.lastName.',
    claimFields: { name: 'Name', value: 'Value' },
    nameExpression: 'user.firstName + " " + user.lastName',
    groups:
      'If groups are to be kept alike too, add this at “Group Attribute Statements”. Set “Filter” to “Matches regex” (.* are all groups).',
    groupFields: { name: 'Name', filter: 'Filter' },
    finish: 'Press “Next”, choose “This is an internal app that we have created”, and press “Finish”.',
    metadata: 'On the “Sign On” tab copy the “Metadata URL”.',
    users: 'On the “Assignments” tab add the people and groups who may sign in.',
    scimOn:
      'On the “General” tab press “Edit” at “App Settings”, set “Provisioning” to “SCIM”, and press “Save”.',
    scimConnect:
      'On the new “Provisioning” tab press “Edit” at “Integration” and enter these values. At “Supported provisioning actions” tick “Push New Users”, “Push Profile Updates” and “Push Groups”. Press “Test Connector Configuration”, then “Save”.',
    scimFields: {
      url: 'SCIM connector base URL',
      unique: 'Unique identifier field for users',
      mode: 'Authentication Mode',
      token: 'Authorization (Bearer)',
    },
    scimStart:
      'On the “Provisioning” tab press “Edit” at “To App”, enable “Create Users”, “Update User Attributes” and “Deactivate Users”, and press “Save”. Choose groups on the “Push Groups” tab.',
  },
  google: {
    name: 'Google Workspace',
    app: 'In the Google Admin console (admin.google.com) open “Apps”, “Web and mobile apps”, choose “Add app” and “Add custom SAML app”, enter an app name, and press “Continue”.',
    metadata:
      'At “Google Identity Provider details” press “Download Metadata”, then “Continue”. You enter this file here later.',
    saml: 'Enter these values at “Service provider details” and press “Continue”.',
    samlFields: {
      acsUrl: 'ACS URL',
      entityId: 'Entity ID',
      nameId: 'Name ID format',
      username: 'Name ID',
    },
    primaryEmail: 'Basic Information > Primary email',
    claims:
      'At “Attribute mapping” press “Add mapping”, so that names are told. First and last names are sent apart: the one that you choose becomes the name here.',
    claimFields: { source: 'Google Directory attributes', name: 'App attributes' },
    nameSource: 'First name',
    groups:
      'If groups are to be kept alike too, choose them at “Group membership (optional)” and enter this name as “App attribute”. Press “Finish”.',
    groupFields: { name: 'App attribute' },
    users:
      'Set “User access” to “ON for everyone”, or as you need it, and save. It may take some minutes to apply.',
    noScim:
      'Google Workspace has no automatic provisioning (SCIM) for custom SAML apps. People are added here at their first sign-in. Who is suspended at Google can no longer sign in; to end their sessions on devices at once, delete them in the list of users of this portal.',
  },
  keycloak: {
    name: 'Keycloak',
    metadata:
      'First press “{{button}}” on this page, have the metadata read from an address, enter this one with the name of your host and realm, and save.',
    metadataFields: {
      url: 'Address of the metadata',
      groupAttribute: 'Attribute with the groups (to keep groups alike)',
    },
    descriptor: 'https://keycloak.example.com/realms/your-realm/protocol/saml/descriptor',
    download: 'Download the metadata of this portal.',
    app: 'In the admin console of Keycloak open “Clients”, “Import client”, choose that file with “Browse...”, and press “Save”. Client ID, addresses and certificate are filled in by it.',
    capabilities:
      'On the “Settings” tab set these at “SAML capabilities” and press “Save”. See that “Sign assertions” is “On”.',
    capabilityFields: { nameId: 'Name ID format', force: 'Force name ID format' },
    claims:
      'On the “Client scopes” tab open the one whose name ends with “-dedicated”, press “Configure a new mapper”, and choose “User Property”, so that names are told. Enter any “Name”, these values, and save.',
    claimFields: { property: 'Property', name: 'SAML Attribute Name' },
    nameProperty: 'firstName',
    groups:
      'If groups are to be kept alike too, go back there, choose “Add mapper”, “By configuration”, “Group list”, with any “Name”, “Single Group Attribute” set to “On” and “Full group path” to “Off”.',
    groupFields: { name: 'Group attribute name' },
    noScim:
      'Keycloak itself sends no SCIM. If you use an extension that does, enter these values there. Without one, people are added here at their first sign-in.',
    scimFields: { url: 'SCIM address', token: 'Bearer token' },
  },
};
