import type { ResourceServerFields } from '@watchword/admin-client';
import {
  emailAddress,
  redirectUri,
  requiredName,
  scopeToken,
  seconds,
  shortText,
  webUrl,
} from './field-rules.ts';
import { collect, type Rules } from './problems.ts';
import { type Attribute, clientFields, filledIn, type TypedClient } from './typed-client.ts';
import { scopeOf, type TypedResourceServer } from './typed-resource-server.ts';

const maxScopeText = 300;

export const resourceServerRules: Rules<TypedResourceServer> = (fields) =>
  collect({
    name: [requiredName(fields.name)],
    scopes: fields.scopes.map(scopeToken),
    scopeTexts: fields.scopeTexts.map(scopeTextProblem),
    ...described(fields),
  });

export function clientRules(resourceServerScopes: readonly string[]): Rules<TypedClient> {
  return (typed) => {
    const fields = clientFields(typed);
    const { confidential, allowedClientCredentials, allowedImplicitGrant, redirectUris } = fields;
    return collect({
      clientName: [requiredName(fields.clientName)],
      scopes: fields.scopes.map((scope) =>
        resourceServerScopes.includes(scope)
          ? undefined
          : `${JSON.stringify(scope)} is not a scope of the resource server`,
      ),
      redirectUris: [
        ...redirectUris.map(redirectUri),
        allowedImplicitGrant && redirectUris.length === 0
          ? 'are missing: an implicit-grant client needs at least one'
          : undefined,
      ],
      confidential: [
        confidential && allowedImplicitGrant
          ? 'must be off with the implicit grant, which is for public clients'
          : undefined,
      ],
      allowedClientCredentials: [
        allowedClientCredentials && !confidential
          ? 'needs a confidential client, and this one is public'
          : undefined,
      ],
      expireDuration: [seconds(fields.expireDuration)],
      attributes: attributeProblems(filledIn(typed.attributes)),
      ...described(fields),
    });
  };
}

function scopeTextProblem({ name, value }: Attribute): string | undefined {
  if (value.length > maxScopeText)
    return `have a text for ${scopeOf(name)} of more than ${maxScopeText} characters`;
  return name.startsWith(' ') && value !== ''
    ? `have a text for ${scopeOf(name)} without a language: name it, such as nl, or remove it`
    : undefined;
}

/** A record has one value for each name, so the server would get one of several. */
function attributeProblems(attributes: readonly Attribute[]): (string | undefined)[] {
  const names = attributes.map(({ name }) => name);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  repeated.delete('');
  return [
    names.includes('') ? 'have a value without a name: name it, or remove it' : undefined,
    ...[...repeated].map((name) => `${JSON.stringify(name)} is there more than once`),
  ];
}

function described({
  description,
  contactName,
  contactEmail,
  thumbNailUrl,
}: Pick<ResourceServerFields, 'description' | 'contactName' | 'contactEmail' | 'thumbNailUrl'>) {
  return {
    description: [shortText(description)],
    contactName: [requiredName(contactName)],
    contactEmail: [emailAddress(contactEmail)],
    thumbNailUrl: [webUrl(thumbNailUrl)],
  };
}
