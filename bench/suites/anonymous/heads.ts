import { authorize, filled, form, type Kind, kib, type Parts } from './parts.ts';

/** Requests whose header fields are large. */
export function headKinds(forged: string): readonly Kind[] {
  return [...cookies(), ...fields(), ...languages(), ...etags(), ...basic(), ...bearer(forged)];
}

const most = 15 * kib;
const tokenInfo = '/v1/tokeninfo?access_token=x';

function cookies(): Kind[] {
  const id = (each: number) => `00000000-0000-4000-8000-${each.toString(16).padStart(12, '0')}`;
  const waiting = (bytes: number) => filled(bytes, '; ', (each) => `watchword_waiting_${id(each)}=`);
  const part = (each: number) => `watchword_waiting_${id(each >> 2)}.${(each % 4) + 1}=`;
  const small = (bytes: number) => filled(bytes, ';', () => 'a=');
  const at = (target: string, cookie: string): Parts => ({
    target,
    fields: [`Cookie: ${cookie}`, 'Accept: text/html'],
  });
  const [large, accepted] = [80 * kib, 19 * kib];
  return [
    ['80 KB of waiting states at /healthz', 431, at('/healthz', waiting(large))],
    ['80 KB of waiting states at a page', 431, at(authorize, waiting(large))],
    ['80 KB of waiting states at an unknown page', 431, at('/nowhere', waiting(large))],
    ['80 KB of parts of waiting states at a page', 431, at(authorize, filled(large, '; ', part))],
    ['80 KB of small cookies at a page', 431, at(authorize, small(large))],
    ['20 KB of waiting states at a page', 200, at(authorize, waiting(accepted))],
    ['20 KB of small cookies at a page', 200, at(authorize, small(accepted))],
    ['20 KB of small cookies at the account page', 200, at('/account', small(accepted))],
  ];
}

function fields(): Kind[] {
  const at = (...own: string[]): Parts => ({ target: tokenInfo, fields: own });
  const many = Array.from({ length: 190 }, (_, each) => `x-${each}: ${'v'.repeat(60)}`);
  const proxies = filled(most, ',', (each) => `10.0.0.${each % 255}`);
  const types = filled(most, ',', () => 'a/b;q=0');
  return [
    ['190 header fields', 401, at(...many)],
    ['a header field of 15 KB', 401, at(`X: ${'v'.repeat(most)}`)],
    ['15 KB of X-Forwarded-For', 401, at(`X-Forwarded-For: ${proxies}`)],
    ['15 KB of tracestate', 401, at(`Tracestate: ${filled(most, ',', (each) => `a${each}=b`)}`)],
    ['15 KB of Accept', 404, { target: '/nowhere', fields: [`Accept: text/html,${types}`] }],
    ['15 KB of Origin', 200, { target: '/oauth2/jwks', fields: [`Origin: http://${'a.'.repeat(most / 2)}`] }],
    ['a path of 8 KB', 404, { target: `/admin${'/a'.repeat(4000)}` }],
    ['a path of 8 KB of escapes', 404, { target: `/${'%61'.repeat(2700)}` }],
  ];
}

function languages(): Kind[] {
  const asking = (name: string, value: (each: number) => string, target = authorize): Kind => [
    `15 KB of languages, ${name}`,
    200,
    { target, fields: [`Accept-Language: ${filled(most, ',', value)}`] },
  ];
  return [
    asking('all different', (each) => `a${each}`),
    asking('with weights', (each) => `x-${each};q=0.${each % 1000}`),
    asking('empty', () => ''),
    asking('long', () => `a${'-b'.repeat(kib)}`),
    asking('all wildcards', () => '*;q=0'),
    asking('for the GUI', (each) => `a${each}`, '/client/client.html'),
  ];
}

function etags(): Kind[] {
  const asking = (name: string, value: string, target = '/client/client.html', status = 200): Kind => [
    `15 KB of ETags, ${name}`,
    status,
    { target, fields: [`If-None-Match: ${value}`] },
  ];
  const list = filled(most, ',', (each) => `W/"${each}"`);
  return [
    asking('all different', list),
    asking('for the keys', list, '/oauth2/jwks'),
    asking('for the revocations', list, '/oauth2/revocations', 401),
    asking('with spaces', `${' '.repeat(most)}"`),
    asking('without an end', `"${'a'.repeat(most)}`),
    asking('all weak', 'W/'.repeat(most / 2)),
  ];
}

function authorized(target: string, authorization: string, body?: string): Parts {
  const fields = [`Authorization: ${authorization}`, form];
  return { target, fields, ...(body !== undefined && { method: 'POST', body }) };
}

function basic(): Kind[] {
  const large = 11 * kib;
  const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const asking = (name: string, authorization: string): Kind => [
    `15 KB of Basic, ${name}`,
    401,
    authorized('/oauth2/token', authorization, 'grant_type=client_credentials'),
  ];
  const secret = encoded(`a:${'b'.repeat(large)}`);
  return [
    asking('a secret', secret),
    asking('a name', encoded(`${'a'.repeat(large)}:b`)),
    asking('escapes', encoded(`a:${'%61'.repeat(large / 3)}`)),
    asking('spaces', `Basic${' '.repeat(most)}!`),
    ['15 KB of Basic at token info', 401, authorized(tokenInfo, secret)],
  ];
}

function bearer(forged: string): Kind[] {
  const [userinfo, administration] = ['/oauth2/userinfo', '/admin/client'];
  const asking = (name: string, token: string, target = userinfo): Kind => [
    `a bearer token ${name}`,
    401,
    authorized(target, `Bearer ${token}`),
  ];
  return [
    asking('of 15 KB', 'a'.repeat(most)),
    asking('of 15 KB at the administration', 'a'.repeat(most), administration),
    asking('of 15 KB with dots', 'a.'.repeat(most / 2)),
    asking('after 15 KB of spaces', `${' '.repeat(most)}!`),
    asking('that names a key of the server', forged),
    asking('that names a key of the server, at the administration', forged, administration),
  ];
}
