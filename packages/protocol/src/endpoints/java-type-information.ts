import type { TokenInfo } from './token-info.ts';

type JavaTyped = readonly [type: string, value: unknown];

/**
 * Token info in the form that JVM resource servers of this protocol parse: every object and list is
 * wrapped as `[type, value]`; strings, numbers and booleans stay bare.
 */
export function withJavaTypeInformation({
  audience,
  scopes,
  principal,
  expires_in,
  cnf,
  auth_time,
  acr,
}: TokenInfo): JavaTyped {
  const { name, roles, groups, adminPrincipal, attributes } = principal;
  return [
    'org.surfnet.oaaas.model.VerifyTokenResponse',
    {
      audience,
      scopes: list(scopes),
      principal: [
        'org.surfnet.oaaas.auth.principal.AuthenticatedPrincipal',
        {
          name,
          roles: list(roles),
          groups: list(groups),
          adminPrincipal,
          attributes: ['java.util.HashMap', attributes],
        },
      ],
      expires_in,
      ...(cnf && { cnf: ['java.util.HashMap', cnf] }),
      ...(auth_time !== undefined && { auth_time }),
      ...(acr !== undefined && { acr }),
    },
  ];
}

function list(values: readonly string[]): JavaTyped {
  return ['java.util.ArrayList', values];
}
