import { accountLinkSchema } from './accounts/account-link-routes.ts';
import { accountSchema } from './accounts/schema.ts';
import { auditEventSchema } from './audit/routes.ts';
import { brandingPreviewSchema, brandingSchema, pageTextsSchema } from './branding/routes.ts';
import { clientHostSchema, decidedClientHostSchema } from './client-hosts/routes.ts';
import { describedClientSchema, endedClientsSchema } from './client-hosts/tool-routes.ts';
import {
  clientPartSchemas,
  clientSchema,
  listedClientSchema,
  resourceServerScopesSchema,
} from './clients/schema.ts';
import { clientSecretSchemas } from './clients/secret-routes.ts';
import { appliedConfigurationSchema, configurationPlanSchema } from './configuration/routes.ts';
import { confirmationSchema } from './confirmations/routes.ts';
import {
  requestErrorExplanationSchema,
  requestErrorSchema,
  requestErrorSummarySchema,
} from './errors/routes.ts';
import { factorSchema, factorStatisticsSchema } from './factors/routes.ts';
import { endedGrantsSchema, grantSchema } from './grants/routes.ts';
import {
  authenticatorSchema,
  startedTestSchema,
  testLoginSchema,
} from './identity-providers/authenticator-schema.ts';
import { identityProviderSchema, identityProviderUseSchema } from './identity-providers/routes.ts';
import { accountImportSchema, importedAccountOutcomeSchema } from './import/account-import-routes.ts';
import { invitationSchema } from './invitations/routes.ts';
import {
  retiredSigningKeySchema,
  rotatedSigningKeysSchema,
  sealingKeySchema,
  signingKeySchema,
} from './keys/schema.ts';
import { lintedRecordSchema } from './lint/routes.ts';
import { principalSchema, registrationSchema } from './principal/routes.ts';
import { ownerRevocationSchema, resourceOwnerSchema } from './resource-owners/routes.ts';
import {
  describedResourceServerSchema,
  describedScopeSchema,
  resourceServerSchema,
  submittedScopeSchema,
} from './resource-servers/schema.ts';
import { clientOfOthersSchema, openResourceServerSchema } from './resource-servers/use-by-others-routes.ts';
import { givenRightsSchema, rightSchema } from './rights/routes.ts';
import type { JsonSchema } from './schema/json-schema.ts';
import { answerSchema } from './schema/record-schema.ts';
import { initialTokenSchemas } from './self-registration/routes.ts';
import { loginSessionSchema } from './sessions/login-session-routes.ts';
import { logoutDeliverySchema } from './sessions/logout-delivery-routes.ts';
import { settingSchema } from './settings/routes.ts';
import { healthSchema } from './statistics/health.ts';
import { clientStatisticsSchema, statisticsSchema } from './statistics/routes.ts';
import { accessTokenSchema, revokedIssueSchema } from './tokens/schema.ts';

const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'string',
      description: 'A stable code; absent when the request had no credentials (RFC 6750, section 3.1).',
    },
    error_description: { type: 'string', description: 'For developers.' },
    violations: {
      type: 'array',
      items: { type: 'string' },
      description: 'All rules that the input violates, each with its field.',
    },
  },
  required: ['error_description'],
};

const schemasOfPeople = (): Readonly<Record<string, JsonSchema>> => ({
  Account: answerSchema(accountSchema, { lastLogin: 'sometimes' }),
  AccountWithResetLink: answerSchema(accountSchema, { resetLink: 'always' }),
  ChangedAccount: answerSchema(accountSchema, { ended: 'always' }),
  ChangedAccountWithResetLink: answerSchema(accountSchema, { resetLink: 'always', ended: 'always' }),
  AccountLink: accountLinkSchema,
  AccountImport: accountImportSchema,
  ImportedAccountOutcome: importedAccountOutcomeSchema,
  Factor: factorSchema,
  FactorStatistics: factorStatisticsSchema,
  Invitation: answerSchema(invitationSchema),
  InvitationWithLink: answerSchema(invitationSchema, { link: 'sometimes' }),
  Confirmation: confirmationSchema,
});

const schemasOfClients = (): Readonly<Record<string, JsonSchema>> => ({
  ...clientPartSchemas,
  ...clientSecretSchemas,
  Right: rightSchema,
  GivenRights: givenRightsSchema,
  AppliedConfiguration: appliedConfigurationSchema,
  ConfigurationPlan: configurationPlanSchema,
  ClientHost: clientHostSchema,
  DecidedClientHost: decidedClientHostSchema,
  DescribedClient: describedClientSchema,
  EndedClients: endedClientsSchema,
});

const clientMarks = {
  lacksSecret: 'sometimes',
  secretExpires: 'sometimes',
  weakSecret: 'sometimes',
  withheldScopes: 'sometimes',
} as const;

/** The records of the document, by their names. */
export const schemas = (): Readonly<Record<string, JsonSchema>> => ({
  ResourceServer: answerSchema(resourceServerSchema, { weakSecret: 'sometimes' }),
  ResourceServerWithSecret: answerSchema(resourceServerSchema, { secret: 'always' }),
  DescribedScope: describedScopeSchema,
  SubmittedScope: submittedScopeSchema,
  ResourceServerScopes: resourceServerScopesSchema,
  DescribedResourceServer: describedResourceServerSchema,
  OpenResourceServer: openResourceServerSchema,
  OtherClient: clientOfOthersSchema,
  ChangedResourceServer: answerSchema(resourceServerSchema, {
    weakSecret: 'sometimes',
    resetClients: 'sometimes',
  }),
  Client: answerSchema(listedClientSchema, { ...clientMarks, lastIssued: 'sometimes' }),
  // A public client has none.
  ClientWithSecret: answerSchema(clientSchema, { secret: 'sometimes', withheldScopes: 'sometimes' }),
  ChangedClient: answerSchema(clientSchema, { ...clientMarks, reset: 'sometimes' }),
  AccessToken: answerSchema(accessTokenSchema, { cnf: 'sometimes' }),
  AccessTokenWithValue: answerSchema(accessTokenSchema, { token: 'always', cnf: 'sometimes' }),
  RevokedIssue: revokedIssueSchema,
  ...schemasOfPeople(),
  ...schemasOfClients(),
  Grant: grantSchema,
  EndedGrants: endedGrantsSchema,
  LoginSession: loginSessionSchema,
  LogoutDelivery: logoutDeliverySchema,
  Principal: principalSchema,
  Registration: registrationSchema,
  IdentityProvider: identityProviderSchema,
  IdentityProviderUse: identityProviderUseSchema,
  Authenticator: authenticatorSchema,
  StartedTest: startedTestSchema,
  TestLogin: testLoginSchema,
  ResourceOwner: resourceOwnerSchema,
  OwnerRevocation: ownerRevocationSchema,
  SigningKey: signingKeySchema,
  RotatedSigningKeys: rotatedSigningKeysSchema,
  RetiredSigningKey: retiredSigningKeySchema,
  SealingKey: sealingKeySchema,
  Setting: settingSchema,
  LintedRecord: lintedRecordSchema,
  ...initialTokenSchemas,
  Branding: brandingSchema,
  BrandingPreview: brandingPreviewSchema,
  PageTexts: pageTextsSchema,
  RequestError: requestErrorSchema,
  RequestErrorExplanation: requestErrorExplanationSchema,
  RequestErrorSummary: requestErrorSummarySchema,
  AuditEvent: auditEventSchema,
  ClientStatistics: clientStatisticsSchema,
  Statistics: statisticsSchema,
  Health: healthSchema,
  Error: errorSchema,
});
