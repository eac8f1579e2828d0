import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { testKey } from '@watchword/testkit/certificate';
import { entityXml } from '@watchword/testkit/saml-metadata';

interface Run {
  /** Of a function: for the id of the token that was issued. */
  readonly args: readonly string[] | ((token: string) => readonly string[]);
  readonly stdin?: string;
  readonly prints: RegExp;
  /** The exit code, if it is not 0. */
  readonly code?: number;
}

const password = 'correct horse battery';
const imported = JSON.stringify({
  resourceServers: [
    { key: 'imported', name: 'Imported', contactName: 'Emma', secret: 'a-secret-of-the-old-server' },
  ],
});
const configuration = JSON.stringify({
  version: 1,
  name: 'mine',
  clients: [
    {
      clientId: 'kept',
      resourceServer: 'imported',
      clientName: 'Kept',
      contactName: 'Emma',
      confidential: false,
    },
  ],
});
const { privateKey } = generateKeyPairSync('ed25519');
const signingKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
export const sealingKey = randomBytes(32).toString('base64');
/** Metadata of a SAML identity provider. */
export const metadata = entityXml({
  entityId: 'https://idp.example',
  certificates: [testKey('idp').certificateBase64],
});
const noSuchDelivery = '01a20940-2cfa-75f4-828c-7bedabc3f794';

/** Each command on a database, by its words, in the order in which they run on one. */
export const commandRuns: Readonly<Record<string, Run>> = {
  migrate: { args: [], prints: /"0001-/ },
  bootstrap: { args: ['--base-url', 'https://id.example'], prints: /authorization-server-admin/ },
  'resource-server create': { args: ['--name', 'Mine', '--scope', 'read'], prints: /"key":"mine"/ },
  'resource-server list': { args: [], prints: /"mine"/ },
  'resource-server show': { args: ['mine'], prints: /"mine"/ },
  'resource-server update': { args: ['mine', '--description', 'x'], prints: /"description":"x"/ },
  'resource-server other-clients': { args: ['mine'], prints: /\[\]/ },
  'resource-server remove-other-client': {
    args: ['mine', 'nobody', '--yes'],
    prints: /No client of another resource server/,
    code: 1,
  },
  'resource-server rotate-secret': { args: ['mine'], prints: /"secret":"/ },
  'client create': {
    args: ['--name', 'App', '--resource-server', 'mine', '--scope', 'read', '--allow-client-credentials'],
    prints: /"clientId":"app"/,
  },
  'client list': { args: [], prints: /"app"/ },
  'client show': { args: ['app'], prints: /"app"/ },
  'client update': { args: ['app', '--description', 'x'], prints: /"description":"x"/ },
  'client confirm': { args: ['app'], prints: /"app"/ },
  'client errors': { args: ['app'], prints: /\[\]/ },
  lint: { args: ['--profile', 'mcp'], prints: /"profile_resource_uri"/, code: 3 },
  explain: { args: ['5f0c6a31be-2k'], prints: /The database has no error/, code: 1 },
  'client rotate-secret': { args: ['app'], prints: /"secret":"/ },
  'client add-secret': { args: ['app', '--days', '90'], prints: /"secret":"/ },
  'client secrets': { args: ['app'], prints: /"lastUsed":null/ },
  'client update-secret': { args: ['app', '3', '--days', '0'], prints: /"expires":0/ },
  'client remove-secret': { args: ['app', '3', '--yes'], prints: /"removed":3/ },
  'token issue': { args: ['--client', 'app'], prints: /"id":/ },
  'token list': { args: ['--client', 'app'], prints: /"app"/ },
  'token show': { args: (token) => [token], prints: /"app"/ },
  'token update': { args: (token) => [token, '--expires', 'never'], prints: /"app"/ },
  'token revoke': { args: (token) => [token], prints: /\{/ },
  'user create': { args: ['emma', '--password-stdin'], stdin: password, prints: /"emma"/ },
  'user list': { args: [], prints: /"emma"/ },
  'user update': {
    args: ['emma', '--email', 'emma@example.com'],
    prints: /"email":"emma@example\.com"/,
  },
  'user show': { args: ['emma'], prints: /"emma@example\.com"/ },
  'user set-admin': { args: ['emma', 'on'], prints: /"emma"/ },
  'user set-groups': { args: ['emma', 'staff'], prints: /"staff"/ },
  'user set-password': { args: ['emma', '--password-stdin'], stdin: `${password}!`, prints: /"emma"/ },
  'user reset-password': { args: ['emma'], prints: /emma/ },
  'user links': { args: ['emma'], prints: /\[\]/ },
  'user unlink': { args: ['emma', 'google'], prints: /no link with this authenticator/, code: 1 },
  'user disable': { args: ['emma'], prints: /"emma"/ },
  'user enable': { args: ['emma'], prints: /"emma"/ },
  'user delete': { args: ['emma', '--yes'], prints: /emma/ },
  'invitation create': { args: ['--group', 'guests'], prints: /registration is off/, code: 1 },
  'invitation list': { args: [], prints: /\[\]/ },
  'invitation revoke': { args: [noSuchDelivery], prints: /There is no such invitation/, code: 1 },
  'confirmation list': { args: ['--purpose', 'sign_up'], prints: /\[\]/ },
  'confirmation end': { args: [noSuchDelivery], prints: /no such pending confirmation/, code: 1 },
  'factor list': { args: ['emma'], prints: /\[\]/ },
  'factor stats': { args: [], prints: /"of":"accounts",\s*"people":/ },
  'factor remove': { args: [noSuchDelivery], prints: /no such factor/, code: 1 },
  'factor reset': { args: ['emma', '--yes'], prints: /no such factor/, code: 1 },
  'demo remove': { args: ['--yes'], prints: /"resourceServers":\[\]/ },
  'grant list': { args: [], prints: /\[\]/ },
  'grant show': { args: (token) => [token], prints: /There is no such grant/, code: 1 },
  'grant end': { args: ['--client', 'app', '--yes'], prints: /0/ },
  'identity-provider list': { args: [], prints: /\[/ },
  'identity-provider create': {
    args: ['uni', '--metadata-file', '-'],
    stdin: metadata,
    prints: /"entityId":"https:\/\/idp\.example"/,
  },
  'identity-provider show': { args: ['uni'], prints: /"kind":"saml"/ },
  'identity-provider change': { args: ['uni', '--label', 'University'], prints: /"label":"University"/ },
  'identity-provider disable': { args: ['uni', '--yes'], prints: /"enabled":false/ },
  'identity-provider enable': { args: ['uni'], prints: /"enabled":true/ },
  'identity-provider delete': { args: ['uni', '--yes'], prints: /"deleted":"uni"/ },
  'identity-provider test-login': { args: ['uni'], prints: /No identity provider of this name/, code: 1 },
  'identity-provider end': { args: ['password', '--yes'], prints: /No user has a login session/, code: 1 },
  'keys rotate': { args: [], prints: /"state":"signing"/ },
  doctor: {
    args: ['--base-url', 'http://127.0.0.1:1', '--port', '1'],
    prints: /no server has ever run on the database postgres/,
    code: 1,
  },
  'keys list': { args: [], prints: /"algorithm":"RS256"/ },
  'keys export-public': { args: [], prints: /"kty":"RSA"/ },
  'keys import': { args: ['-'], stdin: signingKey, prints: /"algorithm":"EdDSA"/ },
  'keys retire': { args: ['none'], prints: /There is no signing key/, code: 1 },
  'keys seal': { args: ['--renew', '--yes'], prints: /"creationDate":/ },
  'session list': { args: [], prints: /\[\]/ },
  'session end': { args: [noSuchDelivery], prints: /There is no such login session/, code: 1 },
  'initial-token create': { args: ['--note', 'CI', '--max-clients', '2'], prints: /"token":"wwt_/ },
  'initial-token list': { args: [], prints: /"note":"CI"/ },
  'initial-token end': { args: [noSuchDelivery, '--yes'], prints: /no such initial access token/, code: 1 },
  'client-host list': { args: [], prints: /\[\]/ },
  'client-host clients': { args: [], prints: /\[\]/ },
  'client-host end': { args: ['tool.example', '--yes'], prints: /"clients":0/ },
  'client-host allow': { args: ['tool.example'], prints: /"pattern":"tool\.example"/ },
  'client-host block': { args: ['*.evil.example', '--yes'], prints: /"ended":0/ },
  'client-host remove': { args: ['tool.example', '--yes'], prints: /"removed":"tool\.example"/ },
  'right give': { args: ['app', 'audit:read'], prints: /client of another resource server/, code: 1 },
  'right list': { args: [], prints: /\[/ },
  'right end': { args: ['no-such', 'audit:read'], prints: /There is no such client/, code: 1 },
  'audit list': { args: ['--client', 'app', '--since', '2026-01-01T00:00Z'], prints: /"app"/ },
  'logout-delivery list': { args: [], prints: /\[\]/ },
  'logout-delivery retry': { args: [noSuchDelivery], prints: /There is no/, code: 1 },
  version: { args: ['--check'], prints: /"ready":true/ },
  // The configuration manages a client of the imported resource server, so that the others can be deleted.
  import: { args: ['-'], stdin: imported, prints: /imported/ },
  plan: { args: ['-'], stdin: configuration, prints: /"action":"create"/, code: 3 },
  apply: { args: ['-'], stdin: configuration, prints: /"action":"create"/ },
  export: { args: [], prints: /"key":"mine"/ },
  purge: { args: [], prints: /"clients":/ },
  'client delete': { args: ['app', '--yes'], prints: /app/ },
  'resource-server delete': { args: ['mine', '--yes'], prints: /mine/ },
};
