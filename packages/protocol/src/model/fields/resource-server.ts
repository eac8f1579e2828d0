import { describedFields, nameKind } from './described.ts';
import type { FieldTable } from './field.ts';
import { managedByField } from './managed-by.ts';
import { nameProblems } from './problems.ts';
import { recordIdKind } from './record-id.ts';
import { resourceProblems, resourcesKind } from './resources.ts';
import { scopeDescriptionProblems, scopeDescriptionsKind } from './scope-descriptions.ts';
import { ownScopeProblems, scopeProblems, scopesKind } from './scopes.ts';

const { description, ...contactFields } = describedFields;

/** The fields of a resource server. */
export const resourceServerFields = {
  id: { kind: recordIdKind, setBy: 'server', summary: 'record id' },
  name: {
    kind: nameKind,
    setBy: 'owner',
    isRequired: true,
    check: nameProblems,
    isFixedInBuiltIn: true,
    label: 'Name',
    summary: 'its name, unique among the resource servers of its owner',
  },
  key: {
    kind: { type: 'text' },
    setBy: 'server',
    summary: 'user name of its HTTP Basic credentials; made from the name, or chosen, on creation',
  },
  secret: {
    kind: { type: 'text' },
    setBy: 'issued',
    summary: 'password of its HTTP Basic credentials; returned on creation and rotation only',
  },
  description,
  scopes: {
    kind: scopesKind,
    setBy: 'owner',
    check: ownScopeProblems,
    isFixedInBuiltIn: true,
    label: 'Scopes',
    summary: 'the scopes that its clients can get',
    details:
      'Each is a name, or an object that also describes the scope for users. A name alone keeps the description that the scope has; an object replaces it as a whole, and so removes what it leaves out. New scopes must not be openid, profile, email, address, phone, offline_access or groups, which belong to the server. Answers have names alone, unless the request asks for scopes=described.',
    option: '--scope <scope>',
  },
  scopeDescriptions: {
    kind: scopeDescriptionsKind,
    partOf: 'scopes',
    setBy: 'owner',
    check: scopeDescriptionProblems,
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    summary:
      'what a scope lets a client do, for users; a language tag before the scope makes it a translation',
    option: '--scope-description <[language ]scope=text>',
  },
  resources: {
    kind: resourcesKind,
    setBy: 'owner',
    check: resourceProblems,
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'URIs',
    summary: 'the URIs by which requests name it in the parameter resource (RFC 8707)',
    details:
      'Each is https, or http on a loopback host, without a fragment, and no other resource server has it. Administrators alone add one; the record owner can remove it. The aud of its access tokens is the URI of the request, or the first of these, or its key.',
    option: '--resource <uri>',
  },
  openToClients: {
    kind: { type: 'choice', values: ['owner', 'administrators', 'everyone'] },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Open to clients',
    summary:
      'which clients can get its openScopes too: none (owner), those to which an administrator gives them (administrators), or those of every owner (everyone)',
    details:
      'A client to which it is no longer open loses the scopes at once; with administrators, clients that one has confirmed keep them. Clients that describe themselves get them with everyone alone.',
  },
  openScopes: {
    kind: scopesKind,
    setBy: 'owner',
    check: scopeProblems,
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Open scopes',
    summary: 'those of its scopes that clients of other owners can get, as openToClients says',
    option: '--open-scope <scope>',
  },
  accessTokenFormat: {
    kind: { type: 'choice', values: ['opaque', 'jwt'] },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Format of access tokens',
    summary:
      'whether it asks the server about each access token (opaque), or can verify them itself (jwt, RFC 9068)',
    details:
      'With jwt each of its clients needs an expireDuration from 1 to 86400: a client with another one is a conflict that names it. Opaque tokens that exist stay valid; JWTs are refused while it is opaque.',
  },
  loginDetails: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    label: 'Details of the login',
    summary:
      'whether token info and introspection tell it when and how strongly the user logged in (auth_time and acr, RFC 9470)',
    details:
      'JWTs always say it. Without it an API with opaque tokens cannot ask for a stronger or a newer login. Access tokens that exist are answered with it at once.',
  },
  ...contactFields,
  owner: {
    kind: { type: 'text' },
    setBy: 'server',
    summary: 'principal name of the record owner, who created it',
  },
  ownerAuthority: {
    kind: { type: 'text' },
    setBy: 'server',
    summary:
      'the identity provider of the owner: an authentication module, or one that a module names; empty when it was registered at the command line, "system" when the server itself depends on it, "client:" with a record id when a client acted for itself',
  },
  managedBy: managedByField,
  weakSecret: {
    kind: { type: 'flag' },
    setBy: 'issued',
    summary:
      'true while it has an imported secret of fewer than 16 characters, which can be guessed: rotate its secret; absent otherwise',
  },
  resetClients: {
    kind: { type: 'texts' },
    setBy: 'issued',
    summary:
      'the clientId of each of its clients whose skipConsent, trusted and keepsUserData this change has set to false, because the caller is not an administrator; absent if there are none',
  },
} as const satisfies FieldTable;
