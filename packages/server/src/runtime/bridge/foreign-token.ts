import {
  isObject,
  type JsonObject,
  type OutboundAnswer,
  type OutboundFetch,
  type Principal,
} from '@watchword/protocol';

/** What the other server says of a token. */
export interface ForeignToken {
  /** By which introspection names the client; token info has its name alone. */
  readonly clientId: string | undefined;
  readonly clientName: string | undefined;
  readonly scopes: readonly string[];
  readonly principal: Principal;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
  /** Epoch milliseconds; if it is not known, a time before every end of all tokens of a client. */
  readonly creationDate: number;
}

/** Asks the other server; `undefined`: it knows no such token. Rejects without an answer. */
export type AskForeignServer = (value: string) => Promise<ForeignToken | undefined>;

/** How the other server is asked: `tokenInfo` as apis answers, `introspection` by RFC 7662. */
export type BridgeProtocol = 'tokenInfo' | 'introspection';

interface ForeignServer {
  readonly url: string;
  readonly protocol: BridgeProtocol;
  readonly clientId: string;
  readonly secret: string;
  readonly fetch: OutboundFetch;
}

const notKnown = 1;

const limits = { answerTimeout: 3000, timeout: 4000, maxBytes: 262_144 };

export function foreignServer({ url, protocol, clientId, secret, fetch }: ForeignServer): AskForeignServer {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
  };
  return async (value) => {
    if (protocol === 'tokenInfo') {
      const address = new URL(url);
      address.searchParams.set('access_token', value);
      using answer = await fetch(address, { ...limits, headers });
      return answer.status === 404 || answer.status === 410 ? undefined : ofTokenInfo(await content(answer));
    }
    const body = new URLSearchParams({ token: value }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    using answer = await fetch(url, { ...limits, body, headers: { ...headers, ...form } });
    const given = await content(answer);
    return given.active === true ? ofIntrospection(given) : undefined;
  };
}

/** @throws Error for every other answer, without its text, which can repeat the token */
async function content(answer: OutboundAnswer): Promise<JsonObject> {
  const { status } = answer;
  if (status !== 200) throw new Error(`expected status 200, got ${status}`);
  const given = untyped(await answer.json());
  if (!isObject(given)) throw new Error('expected a JSON object');
  return given;
}

function ofTokenInfo(given: JsonObject): ForeignToken {
  const { audience, scopes, principal, expires_in: expires } = given;
  const of = untyped(principal);
  if (
    typeof audience !== 'string' ||
    !isObject(of) ||
    typeof of.name !== 'string' ||
    !Number.isInteger(expires)
  )
    throw new Error('expected token info with audience, principal and expires_in');
  return {
    clientId: undefined,
    clientName: audience,
    scopes: texts(untyped(scopes)),
    principal: {
      name: of.name,
      roles: texts(untyped(of.roles)),
      groups: texts(untyped(of.groups)),
      // Only this server says who administers it.
      adminPrincipal: false,
      attributes: textMembers(untyped(of.attributes)),
    },
    expires: Number(expires),
    creationDate: notKnown,
  };
}

function ofIntrospection(given: JsonObject): ForeignToken {
  const { client_id: clientId, username, sub, scope, exp, iat, groups, realm_access: access } = given;
  if (typeof clientId !== 'string') throw new Error('expected introspection with client_id');
  const name = [username, sub].find((each) => typeof each === 'string' && each !== '') ?? clientId;
  return {
    clientId,
    clientName: undefined,
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [],
    principal: {
      name: String(name),
      // Where Keycloak has them.
      roles: isObject(access) ? texts(access.roles) : [],
      groups: texts(groups),
      adminPrincipal: false,
      attributes: {},
    },
    expires: Number.isInteger(exp) ? Number(exp) * 1000 : 0,
    creationDate: Number.isInteger(iat) ? Number(iat) * 1000 : notKnown,
  };
}

/** A value with its Java type, `[type, value]`, which apis can write. */
function untyped(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 2) return value;
  const [type, content] = value;
  const isTyped = typeof type === 'string' && /^[a-z][\w$]*(?:\.[\w$]+){2,}$/.test(type);
  return isTyped && (Array.isArray(content) || isObject(content)) ? content : value;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function textMembers(value: unknown): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
