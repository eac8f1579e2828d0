import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { advice, sizes } from '../../packages/doctor/src/checks/limits.ts';
import { maxPadding } from '../../packages/server/src/features/echo.ts';
import { longestWait } from '../../packages/server/src/features/revocations.ts';
import {
  authorizationUriLimit,
  maxCookieBytes,
  maxHeaderFields,
  maxOtherHeaderBytes,
} from '../../packages/server/src/http/connections/header-limits.ts';
import { keepAliveTimeout } from '../../packages/server/src/http/connections/port-server.ts';
import { maxBodyLimit } from '../../packages/server/src/modules/contract/checked-endpoint.ts';
import { nginxWithIngressLimits, proxyFiles, readProxyFile, withPath } from './proxies.ts';

/** What a proxy lets through: octets, and seconds. */
interface Limits {
  /** Of the line with the URI. */
  readonly target: number;
  /** Of one header field. */
  readonly field: number;
  /** Of the whole head of a request. */
  readonly head: number;
  readonly fields: number;
  readonly body: number;
  /** Of the head of an answer. */
  readonly answerHead: number;
  /** How long it waits for an answer. */
  readonly wait: number;
  /** How long it keeps an idle connection to the server. */
  readonly idle: number;
}

const unlimited = Number.POSITIVE_INFINITY;
const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 * 1024, s: 1 };

/** A number with its unit, after a text of a file. @throws if there is none, which would be a default of the proxy */
function numbersAfter(text: string, name: string): number[] {
  const [, values] = new RegExp(`^\\s*${name} ([^;\\n]*)`, 'm').exec(text) ?? [];
  assert.ok(values !== undefined, `${name} is not set`);
  return values.split(' ').map((value) => {
    const [, number, unit = ''] = /^(\d+)([kms]?)(?:iB)?$/i.exec(value) ?? [];
    return Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  });
}

function ofNginx(text: string): Limits {
  const only = (name: string) => numbersAfter(text, name)[0] ?? 0;
  const [count = 0, size = 0] = numbersAfter(text, 'large_client_header_buffers');
  return {
    target: size,
    field: size,
    head: count * size,
    fields: unlimited,
    body: Math.min(only('client_max_body_size'), only('client_body_buffer_size')),
    answerHead: Math.min(only('proxy_buffer_size'), numbersAfter(text, 'proxy_buffers')[1] ?? 0),
    wait: only('proxy_read_timeout'),
    idle: only('keepalive_timeout'),
  };
}

function ofHaproxy(text: string): Limits {
  const only = (name: string) => numbersAfter(text, name)[0] ?? 0;
  // HAProxy keeps tune.maxrewrite, by default 1024, for what it adds.
  const head = only('tune.bufsize') - 1024;
  return {
    target: head,
    field: head,
    head,
    // Those that the file adds.
    fields: only('tune.http.maxhdr') - 3,
    body: unlimited,
    answerHead: head,
    wait: Math.min(only('timeout server'), only('timeout client')),
    // By default it closes idle connections to servers after 5 s (pool-purge-delay).
    idle: 10,
  };
}

/** Caddy limits the head of an answer to 10 MB, and no body and no wait. */
function ofCaddy(text: string): Limits {
  for (const limit of ['max_size', 'response_header_timeout', 'read_timeout', 'max_response_header']) {
    assert.doesNotMatch(text, new RegExp(limit), `read ${limit} here`);
  }
  const [head = 0] = numbersAfter(text, 'max_header_size');
  const size = { target: head, field: head, head, answerHead: 10_000_000 };
  const [idle = 0] = numbersAfter(text, 'keepalive');
  return { ...size, fields: unlimited, body: unlimited, wait: unlimited, idle };
}

const limits: Readonly<Record<string, Limits>> = {
  nginx: ofNginx(readProxyFile('nginx')),
  haproxy: ofHaproxy(readProxyFile('haproxy')),
  caddy: ofCaddy(readProxyFile('caddy')),
  'ingress-nginx': ofNginx(nginxWithIngressLimits()),
};

/** Octets of a head beside its fields: the method and the version, and `: ` and the end of the line of each field. */
const framing = 64 + maxHeaderFields * 4;

for (const [name, proxy] of Object.entries(limits)) {
  describe(`the configuration for ${name}`, () => {
    it('lets the largest request through that the server takes', () => {
      assert.ok(proxy.target >= authorizationUriLimit + 64, `URI ${proxy.target}`);
      assert.ok(proxy.field >= maxCookieBytes + 64, `field ${proxy.field}`);
      const head = authorizationUriLimit + maxCookieBytes + maxOtherHeaderBytes + framing;
      assert.ok(proxy.head >= head, `head ${proxy.head} of ${head}`);
      assert.ok(proxy.fields >= maxHeaderFields, `fields ${proxy.fields}`);
      assert.ok(proxy.body >= maxBodyLimit, `body ${proxy.body}`);
    });

    it('lets the largest answer through, with 4 KB for the usual fields', () => {
      assert.ok(proxy.answerHead >= maxPadding + 4096, `${proxy.answerHead}`);
    });

    it('gives watchword doctor nothing to complain about', () => {
      for (const { what, request } of sizes) {
        const { query = 0, headers = {}, padding = 0 } = request;
        const [field = 0] = Object.values(headers).map(({ length }) => length);
        assert.ok(proxy.target >= query + 64 && proxy.field >= field + 64, what);
        assert.ok(proxy.answerHead >= padding + 4096, what);
      }
    });

    it('waits longer than requests for the revocation feed do, and ends idle connections before the server', () => {
      assert.ok(proxy.wait > longestWait + 15, `${proxy.wait} s`);
      assert.ok(proxy.idle + 5 <= keepAliveTimeout / 1000, `${proxy.idle} s`);
    });
  });
}

describe('the configurations of proxies', () => {
  it('have a form for a base URL with a path, which leads the metadata of RFC 8414 to the server', () => {
    for (const name of Object.keys(proxyFiles) as (keyof typeof proxyFiles)[]) {
      const text = withPath(readProxyFile(name)).replaceAll('\\', '');
      assert.match(text, /oauth-authorization-server\S*.*\/auth\b/);
      assert.match(text, /openid-configuration\S*\/auth\b/);
    }
  });

  it('keep a fragment behind a path of health or metrics, which old releases of HAProxy forward, from the server', () => {
    const lines = readProxyFile('haproxy')
      .split('\n')
      .map((line) => line.trim());
    const refusal = lines.indexOf('http-request deny deny_status 400 if { path -m sub "#" }');
    assert.ok(refusal !== -1 && refusal < lines.findIndex((line) => line.includes('/readyz')));
  });

  it('are the only place of the buffers of nginx, beside the advice of doctor, which says the same', () => {
    const nginx = readProxyFile('nginx').replace(/^\s*#.*$/gm, '');
    const directives = advice.match(/\w+_\w+ \d[\w ]*/g) ?? [];
    assert.equal(directives.length, 3);
    for (const directive of directives) assert.ok(nginx.includes(`${directive};`), directive);
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const documents = globSync(['*.md', '{docs/*,docs/guides,packages/*}/**/*.md'], {
      cwd,
      exclude: ['**/node_modules/**', 'CHANGELOG.md', 'docs/adr/**', 'docs/guides/doctor.md'],
    });
    const naming = documents.filter((file) =>
      /large_client_header_buffers|proxy_buffers/.test(readFileSync(`${cwd}/${file}`, 'utf8')),
    );
    assert.ok(documents.length > 30);
    assert.deepEqual(naming, []);
  });
});
