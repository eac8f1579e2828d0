// What a program does with `@watchword/endpoint`, without anything that only some runtimes have. It runs in all of them, and in browsers.
import {
  createEndpoint,
  EndpointError,
  endpoint,
  expandTemplate,
  match,
  toCurl,
  toFetch,
} from '@watchword/endpoint';
import { toAxios } from '@watchword/endpoint/axios';
import { toFetch as sameToFetch } from '@watchword/endpoint/fetch';
import { toGot } from '@watchword/endpoint/got';
import { toUndici } from '@watchword/endpoint/undici';

function equal(found, expected, what) {
  const [got, wanted] = [found, expected].map((value) => JSON.stringify(value));
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

function codeOf(call) {
  try {
    call();
  } catch (error) {
    return error instanceof EndpointError ? error.code : `${error}`;
  }
  return 'no error';
}

/** @param base URL of a server that answers with the request that came */
export async function useBuilder(base) {
  buildRequests();
  await sendRequests(createEndpoint({ baseUrl: base, accept: 'application/json' }));
}

function buildRequests() {
  const options = endpoint('GET /repos/{owner}/{repo}/issues', {
    ...{ owner: 'o c', repo: 'ü', labels: new Set(['a', 'b c']), since: new Date(0), lone: '\ud800' },
    style: { arrays: 'repeat' },
  });
  equal(
    options.url,
    'https://api.github.com/repos/o%20c/%C3%BC/issues?labels=a&labels=b%20c&since=1970-01-01T00%3A00%3A00.000Z&lone=%EF%BF%BD',
    'URL',
  );
  equal(expandTemplate('/x{/a*}{?b:2}', { a: ['1', '2'], b: 'xyz' }), '/x/1/2?b=xy', 'template');
  equal(match('/x{/a*}{?b}', '/x/1/2?b=xy'), { a: ['1', '2'], b: 'xy' }, 'match');
  equal(
    codeOf(() => endpoint('GET /{a}', { a: '..' })),
    'UNSAFE_VALUE',
    'dot segment',
  );
  equal(
    codeOf(() => endpoint('GET /{a}', { a: '%2e%2e%2f', strict: true })),
    'UNSAFE_VALUE',
    'hidden dot segment',
  );
  equal(
    codeOf(() => endpoint('POST /x', { a: Promise.resolve() })),
    'INVALID_VALUE',
    'promise',
  );
  equal(
    codeOf(() => Object.assign(endpoint.DEFAULTS.headers, { a: 1 })).split(':')[0],
    'TypeError',
    'frozen defaults',
  );
  equal(toCurl(options).startsWith('curl '), true, 'curl');
  equal(sameToFetch === toFetch, true, 'one copy of toFetch');
  const patch = endpoint('PATCH /user', { bio: 'ü' });
  equal(toAxios(patch).data, '{"bio":"ü"}', 'axios');
  equal(toGot(patch)[1].method, 'PATCH', 'got');
  equal(toUndici(patch)[1].body, '{"bio":"ü"}', 'undici');
}

async function sendRequests(server) {
  const send = async (options) => (await fetch(...toFetch(options))).json();
  const query = await send(server('GET /x/{a}', { a: 'b/c', d: ['e', 'f g'] }));
  equal([query.method, query.url], ['GET', '/x/b%2Fc?d=e,f%20g'], 'GET');
  const json = await send(server('PATCH /user', { bio: 'ü', list: new Map([['a', 1]]) }));
  equal([json.method, json.body], ['PATCH', '{"bio":"ü","list":{"a":1}}'], 'PATCH');
  equal(json.headers['content-type'], 'application/json; charset=utf-8', 'content-type');
  for (const [data, type, body] of [
    // Bun names no type of a text.
    ['text', /^$|^text\/plain/, /^text$/],
    [new URLSearchParams('a=b c'), /^application\/x-www-form-urlencoded/, /^a=b\+c$/],
    [new TextEncoder().encode('bytes'), /^$/, /^bytes$/],
    [new Blob(['blob'], { type: 'a/b' }), /^a\/b$/, /^blob$/],
    [formOf({ field: 'value' }), /^multipart\/form-data; ?boundary=/, /name="field"\r\n\r\nvalue/],
  ]) {
    const sent = await send(server('POST /x', { data }));
    const sentType = sent.headers['content-type'] ?? '';
    equal([type.test(sentType), body.test(sent.body)], [true, true], `${sentType} ${sent.body}`);
  }
  const { signal } = toFetch(server('GET /', { request: { signal: () => AbortSignal.abort() } }))[1];
  equal(signal.aborted, true, 'signal');
}

function formOf(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
