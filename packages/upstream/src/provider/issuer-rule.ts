import { shown } from '@watchword/protocol';
import { UpstreamError } from '../upstream-error.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Which issuers a provider has. Nearly every one has one, which its discovery document names. */
export interface IssuerRule {
  /** For people, and where the discovery document is. */
  readonly url: string;
  /** Whether the discovery document can name it. */
  accepts(issuer: unknown): issuer is string;
  /** The issuer that a token with these claims must have. @param named in the discovery document @throws UpstreamError `issuer` */
  expected(claims: Claims, named: string): string;
  /** Whether users of the issuer can log in. @param named in the discovery document, once it is known */
  includes(issuer: string, named: string | undefined): boolean | undefined;
}

/** The one issuer, character by character (OpenID Connect Discovery §4.3). */
export function oneIssuer(url: string): IssuerRule {
  return {
    url,
    accepts: (issuer): issuer is string => issuer === url,
    expected: () => url,
    includes: (issuer) => issuer === url,
  };
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const template = '{tenantid}';

/**
 * Microsoft: each tenant has an issuer. The document of several tenants names none of them but a template, which the claim `tid` of a token
 * fills.
 *
 * @param authority such as `https://login.microsoftonline.com`
 * @param tenant an id, a domain, or `organizations`, `consumers` or `common` for several
 * @param tenants the ids that are permitted of several; `*`: all
 */
export function tenantIssuers(authority: string, tenant: string, tenants: readonly string[]): IssuerRule {
  const issuerOf = (id: string) => `${authority}/${id}/v2.0`;
  const idOf = (issuer: string) => {
    const id = issuer.slice(authority.length + 1, -'/v2.0'.length);
    return issuer === issuerOf(id) && (guid.test(id) || id === template) ? id : undefined;
  };
  const isPermitted = (id: string) => tenants.includes('*') || tenants.includes(id.toLowerCase());
  return {
    url: issuerOf(tenant),
    accepts: (issuer): issuer is string => typeof issuer === 'string' && idOf(issuer) !== undefined,
    expected({ tid }, named) {
      if (idOf(named) !== template) return named;
      if (typeof tid === 'string' && guid.test(tid) && isPermitted(tid)) return issuerOf(tid);
      const came = shown(String(tid ?? 'none'), 100);
      throw new UpstreamError(
        'issuer',
        `expected one of the tenants of the options in tid of the token, got ${came}`,
      );
    },
    includes(issuer, named) {
      const id = idOf(issuer);
      if (id === undefined || id === template) return false;
      if (guid.test(tenant)) return id.toLowerCase() === tenant.toLowerCase();
      if (tenants.length > 0) return isPermitted(id);
      return named === undefined ? undefined : issuer === named;
    },
  };
}
