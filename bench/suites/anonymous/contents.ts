import { authorize, filled, form, type Kind, kib, type Parts } from './parts.ts';

/** Requests whose query or body is large. */
export function contentKinds(forged: string): readonly Kind[] {
  return [...queries(), ...openidQueries(forged), ...tokenForms(), ...pageForms(), ...json()];
}

const most = 63 * kib;
const publicClient = 'client_id=authorization-server-admin-js-client';
const pairs = (bytes: number) => filled(bytes, '&', (each) => `${each.toString(36)}=`);

function queries(): Kind[] {
  return [
    ['20 KB of parameters at /authorize', 400, { target: `/authorize?${pairs(19 * kib)}` }],
    ['20 KB of escapes at /authorize', 400, { target: `/authorize?x=${'%C3%A9'.repeat(3000)}` }],
    ['8 KB of parameters at token info', 401, { target: `/v1/tokeninfo?${pairs(7 * kib)}` }],
    ['8 KB of parameters at a logout', 400, { target: `/oauth2/logout?${pairs(7 * kib)}` }],
  ];
}

function openidQueries(forged: string): Kind[] {
  const size = 5 * kib;
  const asking = (name: string, status: number, parameter: string, value: string): Kind => [
    name,
    status,
    { target: `${authorize}&${parameter}=${encodeURIComponent(value)}` },
  ];
  const depth = Math.floor(size / 6);
  const names = filled(size, ' ', (each) => each.toString(36));
  const members = filled(2 * kib, ',', (each) => `"${each % 99}":{"values":["${each}"]}`);
  return [
    asking('5 KB of claims in one another', 200, 'claims', `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`),
    asking('5 KB of claims that do not end', 200, 'claims', '['.repeat(size)),
    asking('2 KB of claims side by side', 200, 'claims', `{"id_token":{${members}}}`),
    asking('5 KB of scopes', 303, 'scope', names),
    asking('5 KB of prompts', 303, 'prompt', names),
    asking('5 KB of acr_values', 200, 'acr_values', names),
    asking(
      '5 KB of ui_locales',
      200,
      'ui_locales',
      filled(size, ' ', (each) => `a-${each}`),
    ),
    asking('an id_token_hint that names a key', 200, 'id_token_hint', forged),
  ];
}

function posted(target: string, body: string, fields: readonly string[] = []): Parts {
  return { method: 'POST', target, fields: [form, ...fields], body };
}

function tokenForms(): Kind[] {
  const asking = (name: string, status: number, body: string): Kind => [
    `${name} at the token endpoint`,
    status,
    posted('/oauth2/token', body),
  ];
  const names = filled(most - 200, '+', (each) => each.toString(36));
  const long = 'a'.repeat(most - 200);
  const refresh = `${publicClient}&grant_type=refresh_token&refresh_token=`;
  return [
    asking('64 KB of parameters', 400, pairs(most)),
    asking(
      '64 KB of one parameter',
      400,
      filled(most, '&', () => 'scope=a'),
    ),
    asking('64 KB of escapes', 401, `x=${'%61'.repeat(most / 3)}`),
    asking('64 KB of +', 401, `x=${'+'.repeat(most)}`),
    asking('64 KB of scopes', 400, `${refresh}x&scope=${names}`),
    asking(
      '64 KB of a code',
      400,
      `${publicClient}&grant_type=authorization_code&code_verifier=${'v'.repeat(43)}&code=${long}`,
    ),
    asking('64 KB of a refresh token', 400, `${refresh}${long}`),
    ['64 KB of a token to revoke', 200, posted('/oauth2/revoke', `${publicClient}&token=${long}`)],
  ];
}

function pageForms(): Kind[] {
  const fields = ['Cookie: watchword_flow=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq'];
  const state = `auth_state=${'a'.repeat(most - 200)}`;
  return [
    ['64 KB of parameters at /authorize', 400, posted('/authorize', pairs(most), fields)],
    ['64 KB of auth_state at /login', 400, posted('/login', `${state}&username=a&password=b`, fields)],
    ['64 KB of auth_state at /consent', 400, posted('/consent', state, fields)],
  ];
}

function json(): Kind[] {
  const fields = ['Content-Type: application/json'];
  const admin = (body: string): Parts => ({ method: 'POST', target: '/admin/resourceServer', fields, body });
  const half = most / 2;
  const members = filled(most, ',', (each) => `"${each}":0`);
  return [
    ['64 KB of nested JSON at the administration', 401, admin('['.repeat(half) + ']'.repeat(half))],
    ['64 KB of members at the administration', 401, admin(`{${members}}`)],
    ['64 KB of JSON at an unknown address', 404, { ...admin('['.repeat(most)), target: '/nowhere' }],
  ];
}
