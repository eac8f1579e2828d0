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
 * An identity provider that believes everybody, to try things out with: `npm run test-idp`. It learns of the service
 * provider when somebody comes, from where they come.
 */
const [port = '8090', service = 'http://localhost:8080'] = process.argv.slice(2);
const idp = await startIdentityProvider({
  port: Number(port),
  people,
  serviceMetadata: `${service}/saml/metadata`,
});
console.log(`an identity provider that believes everybody: ${idp.metadataUrl}`);
