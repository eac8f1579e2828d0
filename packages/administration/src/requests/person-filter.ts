import { type Identity, OAuthError } from '@watchword/protocol';
import type { AdminRequest, QueryParameter } from '../route.ts';
import { filterOf } from './query-values.ts';

/** Names of the query parameters that name one person. */
export const identityFilters = ['resourceOwnerId', 'identityProvider'];

/** @param what the effect of both, such as `Only sessions of this user` */
export function identityParameters(what: string): QueryParameter[] {
  return [
    {
      name: 'resourceOwnerId',
      description: `${what}: a principal name, with its identityProvider.`,
      schema: { type: 'string' },
    },
    {
      name: 'identityProvider',
      description:
        'The identity provider of resourceOwnerId. The same name at another one is another person.',
      schema: { type: 'string' },
    },
  ];
}

/** The person that the query names. @throws OAuthError `invalid_request` for one parameter without the other */
export function identityOfQuery(request: AdminRequest): Identity | undefined {
  const [name, identityProvider] = identityFilters.map((filter) => filterOf(request, filter));
  if (name !== undefined && identityProvider !== undefined) return { identityProvider, name };
  if (name === undefined && identityProvider === undefined) return undefined;
  throw new OAuthError('invalid_request', {
    description: 'The parameters resourceOwnerId and identityProvider must be given together.',
    rule: 'described_parameter',
  });
}
