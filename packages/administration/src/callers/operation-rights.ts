import type { Right } from './rights.ts';

/** With which right a client that acts for itself makes a request for all records, and whether every caller makes it for own ones. */
interface ByRight {
  readonly right: Right;
  readonly own?: true;
}

/** `people`: administrators who are people, and tools. `everyone`: every caller, a right adds nothing. */
export type OperationRight = ByRight | 'people' | 'everyone';

const own = (right: Right) => ({ right, own: true }) as const;
const only = (right: Right) => ({ right }) as const;

const records = {
  listResourceServers: own('records:all:read'),
  createResourceServer: own('records:all:write'),
  putResourceServerIntoList: own('records:all:write'),
  getResourceServer: own('records:all:read'),
  replaceResourceServer: own('records:all:write'),
  postResourceServer: own('records:all:write'),
  changeResourceServer: own('records:all:write'),
  deleteResourceServer: own('records:all:write'),
  rotateResourceServerSecret: own('records:all:write'),
  listOpenResourceServers: own('records:all:read'),
  listOtherClients: own('records:all:read'),
  removeOtherClient: own('records:all:write'),
  listAllClients: own('records:all:read'),
  listClients: own('records:all:read'),
  createClient: own('records:all:write'),
  putClientIntoList: own('records:all:write'),
  getClient: own('records:all:read'),
  replaceClient: own('records:all:write'),
  postClient: own('records:all:write'),
  changeClient: own('records:all:write'),
  deleteClient: own('records:all:write'),
  rotateClientSecret: own('records:all:write'),
  listClientSecrets: own('records:all:read'),
  addClientSecret: own('records:all:write'),
  changeClientSecret: own('records:all:write'),
  removeClientSecret: own('records:all:write'),
  confirmClient: own('records:all:write'),
  lintRecords: own('records:all:read'),
  listClientHosts: only('records:all:read'),
  replaceClientHost: only('records:all:write'),
  deleteClientHost: only('records:all:write'),
  listDescribedClients: only('records:all:read'),
  endDescribedClients: only('records:all:write'),
  listConfigurations: only('records:all:read'),
  // The plan of a configuration brings secrets, and says which ones differ.
  planConfiguration: only('records:all:write'),
  applyConfiguration: only('records:all:write'),
  listInitialTokens: only('records:all:read'),
  createInitialToken: only('records:all:write'),
  endInitialToken: only('records:all:write'),
  getStatistics: own('records:all:read'),
  getClientStatistics: own('records:all:read'),
} as const;

const accounts = {
  listAccounts: only('accounts:read'),
  createAccount: only('accounts:write'),
  importAccounts: only('accounts:write'),
  getAccount: only('accounts:read'),
  replaceAccount: only('accounts:write'),
  changeAccount: only('accounts:write'),
  resetAccountPassword: only('accounts:write'),
  deleteAccount: only('accounts:write'),
  listAccountLinks: only('accounts:read'),
  removeAccountLink: only('accounts:write'),
  listFactors: only('accounts:read'),
  getFactorStatistics: only('accounts:read'),
  removeFactor: only('accounts:write'),
  resetFactors: only('accounts:write'),
  listInvitations: only('accounts:read'),
  createInvitation: only('accounts:write'),
  revokeInvitation: only('accounts:write'),
  listConfirmations: only('accounts:read'),
  endConfirmation: only('accounts:write'),
} as const;

const grants = {
  listGrants: own('grants:read'),
  getGrant: own('grants:read'),
  endGrants: own('grants:write'),
  endGrant: own('grants:write'),
  listAccessTokens: own('grants:read'),
  getAccessToken: own('grants:read'),
  lookUpAccessToken: own('grants:read'),
  replaceAccessToken: own('grants:write'),
  changeAccessToken: own('grants:write'),
  revokeAccessToken: own('grants:write'),
  revokeIssuedTokens: own('grants:write'),
  revokeClientTokens: own('grants:write'),
  revokeResourceServerTokens: own('grants:write'),
  revokeResourceOwner: own('grants:write'),
  listLoginSessions: only('grants:read'),
  endLoginSession: only('grants:write'),
  listLogoutDeliveries: own('grants:read'),
  retryLogoutDelivery: own('grants:write'),
  // Otherwise the client could act as every other one.
  createAccessToken: 'everyone',
} as const;

const observation = {
  listAuditEvents: own('audit:read'),
  listRequestErrors: own('errors:read'),
  summarizeRequestErrors: own('errors:read'),
  explainRequestError: own('errors:read'),
} as const;

const keys = {
  listSigningKeys: only('keys:read'),
  rotateSigningKeys: only('keys:write'),
  retireSigningKey: only('keys:write'),
  listSealingKeys: only('keys:read'),
  renewSealingKeys: only('keys:write'),
  // With a private half that it knows, the client could sign as the server.
  importSigningKey: 'people',
} as const;

const installation = {
  listSettings: 'people',
  listIdentityProviders: 'people',
  revokeIdentityProvider: 'people',
  listAuthenticators: 'people',
  createAuthenticator: 'people',
  getAuthenticator: 'people',
  changeAuthenticator: 'people',
  deleteAuthenticator: 'people',
  startTestLogin: 'people',
  readTestLogin: 'people',
  getBranding: 'people',
  replaceBranding: 'people',
  previewBranding: 'people',
  getPageTexts: 'people',
  listRights: 'people',
  giveRights: 'people',
  endRights: 'people',
  getPrincipal: 'everyone',
  getRegistration: 'everyone',
} as const;

/** Every operation of the administration interface, by its id: a route that is missing here does not start. */
export const operationRights: Readonly<Record<string, OperationRight>> = {
  ...records,
  ...accounts,
  ...grants,
  ...observation,
  ...keys,
  ...installation,
};
