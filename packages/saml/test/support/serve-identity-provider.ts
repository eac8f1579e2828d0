import { type Person, startIdentityProvider } from './identity-provider.ts';

const uid = 'urn:mace:dir:attribute-def:uid';
const displayName = 'urn:mace:dir:attribute-def:displayName';
const isMemberOf = 'urn:mace:dir:attribute-def:isMemberOf';

const people: readonly Person[] = [
  { nameId: 'emma', attributes: { [uid]: ['emma'], [displayName]: ['Emma'], [isMemberOf]: ['staff'] } },
  {
    nameId: 'root',
    attributes: { [uid]: ['root'], [displayName]: ['Root'], [isMemberOf]: ['staff', 'admins'] },
  },
];

/**
 * A test identity provider that accepts every login: `npm run test-idp`. It registers the service provider at the first
 * request, from the metadata of the server that sent the browser.
 */
const [port = '8090', service = 'http://localhost:8080'] = process.argv.slice(2);
const idp = await startIdentityProvider({
  port: Number(port),
  people,
  serviceMetadata: `${service}/saml/metadata`,
});
console.log(`an identity provider that believes everybody: ${idp.metadataUrl}`);
