import { filterOf, filterParameter, invalidParameter, recordIdOf } from '../requests/parameters.ts';
import type { AdminRequest, QueryParameter } from '../route.ts';
import type { GrantSelection } from './grant-administration.ts';

/** Parameters that select by resource owner, client and resource server. @param what what is selected, such as `grants` */
export function selectionParameters(what: string): QueryParameter[] {
  return [
    filterParameter('subject', `Only ${what} of the resource owner with this subject.`),
    filterParameter('clientId', `Only ${what} for this client.`),
    {
      name: 'resourceServerId',
      description: `Only ${what} for clients of the resource server with this record id.`,
      schema: { type: 'integer', minimum: 1 },
    },
  ];
}

/** @throws OAuthError `invalid_request` */
export function selectedBy(request: AdminRequest): Omit<GrantSelection, 'since'> {
  const resourceServer = filterOf(request, 'resourceServerId');
  return {
    subject: filterOf(request, 'subject'),
    clientId: filterOf(request, 'clientId'),
    resourceServerId: resourceServer === undefined ? undefined : recordIdOf(resourceServer),
  };
}

/** A parameter that selects nothing would be ignored, and more would end than the caller meant. @throws OAuthError `invalid_request` */
export function requireOnly({ query }: AdminRequest, selection: readonly QueryParameter[]): void {
  const names = selection.map(({ name }) => name);
  if ([...query].every(([name, value]) => names.includes(name) && value !== '')) return;
  throw invalidParameter(
    `What ends is selected by ${names.join(', ')} only, each with a value. The request has another parameter, or one without a value.`,
  );
}
