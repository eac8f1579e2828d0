import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import {
  All,
  type ArgumentsHost,
  Catch,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  Headers,
  HttpCode,
  HttpException,
  type INestApplication,
  Inject,
  Options,
  UseGuards,
} from '@nestjs/common';
import { type AbstractHttpAdapter, ExternalContextCreator } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type AccessRules, requireScope, type TokenVerifier } from '../../src/index.ts';
import { Public, Scopes, TOKEN_VERIFIER, TokenGuard, TokenInfo, WatchwordModule } from '../../src/nestjs.ts';
import { type FakeVerifier, fakeVerifier } from '../../src/testing.ts';
import { answerFor, middlewareConformance } from '../support/middleware-conformance.ts';
import { decorate, nestApi } from '../support/nestjs-api.ts';

const platforms: readonly (readonly [string, () => AbstractHttpAdapter])[] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter() as unknown as AbstractHttpAdapter],
];

const bearer = (token: string) => [['authorization', `Bearer ${token}`]] as const;
const challengeOf = (answer: Response) => answer.headers.get('www-authenticate') ?? '';

/** A controller whose `GET /orders` answers with the name of the principal, and what its route and the controller are decorated with. */
function orders(route: readonly MethodDecorator[] = [], controller: readonly ClassDecorator[] = []) {
  class Orders {
    get(tokenInfo: TokenInfo | undefined, scope: unknown) {
      return answerFor(tokenInfo, scope);
    }
  }
  TokenInfo()(Orders.prototype, 'get', 0);
  Headers('x-scope')(Orders.prototype, 'get', 1);
  decorate(Orders, 'get', Get('orders'), ...route);
  for (const decorator of [Controller(), ...controller]) decorator(Orders);
  return Orders;
}

for (const [platform, adapter] of platforms) {
  middlewareConformance(`NestJS with ${platform}`, async (verifier, rules) => {
    let calls = 0;
    class Orders {
      get(tokenInfo: TokenInfo | undefined, scope: unknown) {
        calls += 1;
        return answerFor(tokenInfo, scope);
      }
      preflight() {}
    }
    TokenInfo()(Orders.prototype, 'get', 0);
    Headers('x-scope')(Orders.prototype, 'get', 1);
    decorate(Orders, 'get', Get());
    decorate(Orders, 'preflight', Options(), HttpCode(204), Header('x-preflight', 'passed'));
    Controller('orders')(Orders);
    const imports = [WatchwordModule.forRoot({ verifier, rules })];
    return nestApi({ imports, controllers: [Orders] }, adapter(), { calls: () => calls });
  });

  describe(`with NestJS over ${platform}`, () => {
    const start = (
      verifier: FakeVerifier,
      controller: new () => object,
      { rules, ...options }: { rules?: AccessRules; prepare?: (app: INestApplication) => void } = {},
    ) =>
      nestApi(
        {
          imports: [WatchwordModule.forRoot({ verifier, ...(rules && { rules }) })],
          controllers: [controller],
        },
        adapter(),
        options,
      );

    it('neither a refusal nor an error of a helper is logged', async () => {
      const verifier = fakeVerifier();
      await using api = await start(verifier, orders([Scopes('read')]));
      const token = verifier.issue({ scopes: ['read'] });
      const sent = [
        [],
        bearer('made-up'),
        bearer(verifier.issue()),
        [...bearer(token), ['x-scope', 'write']],
      ];
      const statuses = [];
      for (const headers of sent) {
        statuses.push((await api.send('GET', headers as [string, string][])).status);
      }
      verifier.fail();
      statuses.push((await api.send('GET', bearer(token))).status);
      assert.deepEqual(statuses, [401, 401, 403, 403, 503]);
      assert.deepEqual(api.lines, []);
    });

    it('an error of a helper in a guard of the API is answered with its challenge', async () => {
      const verifier = fakeVerifier();
      const strict = {
        canActivate(context: ExecutionContext) {
          requireScope(context.switchToHttp().getRequest().tokenInfo, 'write');
          return true;
        },
      };
      await using api = await start(verifier, orders([UseGuards(strict)]));
      const answer = await api.send('GET', bearer(verifier.issue()));
      assert.equal(answer.status, 403);
      assert.match(challengeOf(answer), /scope="write", error="insufficient_scope"/);
      assert.equal((await answer.json()).error, 'insufficient_scope');
      assert.deepEqual(api.lines, []);
    });

    it('a filter of the API sees every refusal as an HttpException, and its answer keeps the challenge', async () => {
      const verifier = fakeVerifier();
      class Problems {
        catch(exception: unknown, host: ArgumentsHost) {
          const status = exception instanceof HttpException ? exception.getStatus() : 500;
          const response = host.switchToHttp().getResponse();
          response.status(status).send({ title: (exception as Error).message });
        }
      }
      Catch()(Problems);
      const prepare = (app: INestApplication) => void app.useGlobalFilters(new Problems());
      await using api = await start(verifier, orders(), { prepare });
      const token = verifier.issue({ scopes: ['read'] });
      const missing = await api.send('GET', []);
      assert.equal(missing.status, 401);
      assert.equal(challengeOf(missing), 'Bearer realm="api"');
      const title = 'The request needs an access token: Authorization: Bearer.';
      assert.deepEqual(await missing.json(), { title });
      const lacking = await api.send('GET', [...bearer(token), ['x-scope', 'write']]);
      assert.equal(lacking.status, 403);
      assert.match(challengeOf(lacking), /scope="write", error="insufficient_scope"/);
    });

    it('an error after the API has answered has no effect', async () => {
      const verifier = fakeVerifier();
      // A time-out of the API's own.
      const early = (_request: unknown, response: ServerResponse, next: () => void) => {
        response.writeHead(504).end();
        next();
      };
      const prepare = (app: INestApplication) => void app.use(early);
      await using api = await start(verifier, orders(), { prepare });
      for (const _ of [1, 2]) assert.equal((await api.send('GET', [])).status, 504);
      assert.deepEqual(api.lines, []);
    });

    it('a handler for all methods gets no preflight without a token', async () => {
      class Whole {
        pass() {
          return 'secret';
        }
      }
      decorate(Whole, 'pass', All('orders'));
      Controller()(Whole);
      const preflight = [
        ['origin', 'https://app.example'],
        ['access-control-request-method', 'GET'],
      ] as const;
      const verifier = fakeVerifier();
      for (const guard of [undefined, Scopes('read')]) {
        guard?.(Whole);
        await using api = await start(verifier, Whole);
        assert.equal((await api.send('OPTIONS', preflight)).status, 401);
        const token = verifier.issue({ scopes: ['read'] });
        assert.equal((await api.send('OPTIONS', [...preflight, ...bearer(token)])).status, 200);
      }
      await using unguarded = await nestApi({ controllers: [Whole] }, adapter());
      assert.equal((await unguarded.send('OPTIONS', preflight)).status, 401);
    });

    it('a defect of the verifier gives no access and is logged', async () => {
      const broken = { ...fakeVerifier(), verify: () => Promise.reject(new Error('a defect')) };
      await using api = await start(broken, orders());
      assert.equal((await api.send('GET', bearer('abc'))).status, 500);
      assert.match(api.lines.join('\n'), /a defect/);
    });
  });
}

describe('with NestJS', () => {
  const api = (verifier: FakeVerifier, controllers: (new () => object)[], rules: AccessRules = {}) =>
    nestApi({ imports: [WatchwordModule.forRoot({ verifier, rules })], controllers }, new ExpressAdapter());

  it('a route needs the scopes of the module, its controller and itself, and the challenge names them all', async () => {
    const verifier = fakeVerifier();
    const controller = orders([Scopes('delete'), Scopes({ any: ['write', 'admin'] })], [Scopes('list')]);
    await using test = await api(verifier, [controller], { scope: 'read', realm: 'orders' });
    const status = async (...scopes: string[]) =>
      (await test.send('GET', bearer(verifier.issue({ scopes })))).status;
    assert.equal(await status('read', 'list', 'delete', 'admin'), 200);
    for (const scopes of ['list delete admin', 'read delete admin', 'read list admin', 'read list delete']) {
      assert.equal(await status(...scopes.split(' ')), 403, scopes);
    }
    const scope = 'read list write delete';
    assert.equal(challengeOf(await test.send('GET', [])), `Bearer realm="orders", scope="${scope}"`);
  });

  it('a controller needs the scopes of the one that it extends, and shares no rule with others that extend it', async () => {
    const verifier = fakeVerifier();
    const base = orders([], [Scopes('base')]);
    class Writes extends base {}
    class Reads extends base {}
    Controller('writes')(Writes);
    Scopes('write')(Writes);
    Controller('reads')(Reads);
    await using test = await api(verifier, [Writes, Reads]);
    const { port } = test.app.getHttpServer().address();
    const status = async (path: string, ...scopes: string[]) => {
      const headers = Object.fromEntries(bearer(verifier.issue({ scopes })));
      return (await fetch(`http://127.0.0.1:${port}/${path}/orders`, { headers })).status;
    };
    assert.deepEqual(
      [await status('writes', 'base'), await status('reads', 'base'), await status('reads', 'write')],
      [403, 200, 403],
    );
    assert.equal(await status('writes', 'base', 'write'), 200);
  });

  it('a public route reads no token, and a scope of the same or a nearer place closes it', async () => {
    const verifier = fakeVerifier();
    for (const [controller, status] of [
      [orders([Public()]), 200],
      [orders([], [Public()]), 200],
      [orders([Public()], [Scopes('read')]), 200],
      [orders([Scopes('read')], [Public()]), 401],
      [orders([Scopes('read'), Public()]), 401],
      [orders([Public(), Scopes('read')]), 401],
      [orders(), 401],
    ] as const) {
      await using test = await api(verifier, [controller], { scope: 'read' });
      const answer = await test.send('GET', []);
      assert.equal(answer.status, status);
      if (status === 200) assert.deepEqual(await answer.json(), {});
      assert.deepEqual(test.lines, []);
    }
  });

  it('a route with scopes and no guard before it answers 401', async () => {
    const verifier = fakeVerifier();
    await using test = await nestApi({ controllers: [orders([Scopes('read')])] }, new ExpressAdapter());
    const answer = await test.send('GET', bearer(verifier.issue({ scopes: ['read'] })));
    assert.equal(answer.status, 401);
    assert.equal(challengeOf(answer), 'Bearer realm="api", scope="read"');
    assert.deepEqual(test.lines, []);
  });

  it('a guard works without the module, in any order with scopes', async () => {
    const verifier = fakeVerifier();
    const guard = UseGuards(new TokenGuard(verifier, { scope: 'list' }));
    for (const decorators of [
      [guard, Scopes('read')],
      [Scopes('read'), guard],
    ]) {
      await using test = await nestApi({ controllers: [orders(decorators)] }, new ExpressAdapter());
      const status = async (...scopes: string[]) =>
        (await test.send('GET', bearer(verifier.issue({ scopes })))).status;
      assert.deepEqual(
        [await status('list', 'read'), await status('list'), await status('read')],
        [200, 403, 403],
      );
      assert.equal((await test.send('GET', [])).status, 401);
      assert.deepEqual(test.lines, []);
    }
  });

  it('the guard can be named where the module is imported', async () => {
    const verifier = fakeVerifier();
    await using test = await api(verifier, [orders([UseGuards(TokenGuard)])], { scope: 'read' });
    assert.equal((await test.send('GET', bearer(verifier.issue({ scopes: ['read'] })))).status, 200);
    assert.equal((await test.send('GET', bearer(verifier.issue()))).status, 403);
  });

  it('the options can be made of other providers, and the verifier is injected and closed with the application', async () => {
    const verifier = fakeVerifier();
    let closed = 0;
    const close = () => {
      closed += 1;
    };
    class Service {
      readonly found: TokenVerifier;
      constructor(found: TokenVerifier) {
        this.found = found;
      }
    }
    Inject(TOKEN_VERIFIER)(Service, undefined, 0);
    const module = WatchwordModule.forRootAsync({
      useFactory: async () => ({ verifier: { ...verifier, close }, rules: { scope: 'read' } }),
    });
    {
      await using test = await nestApi(
        { imports: [module], controllers: [orders()], providers: [Service] },
        new ExpressAdapter(),
      );
      assert.equal((await test.send('GET', bearer(verifier.issue()))).status, 403);
      assert.equal(test.app.get(Service).found.close, close);
      assert.equal(closed, 0);
    }
    assert.equal(closed, 1);
  });

  it('a text that is no scope, no text, and a decorator of something else are errors', () => {
    for (const scopes of [
      [],
      [''],
      ['caf\u00e9'],
      [[]],
      ['read', []],
      [undefined],
      [{ any: [] }],
    ] as string[][]) {
      assert.throws(() => Scopes(...scopes), { name: 'ConfigurationError' });
    }
    for (const decorator of [Scopes('read'), Public()] as ((target: object, name: string) => void)[]) {
      assert.throws(() => decorator({}, 'field'), TypeError);
    }
  });

  it('what is not HTTP gets no access, unless it is public', async () => {
    class Gateway {
      open() {
        return 'open';
      }
      closed() {
        return 'in';
      }
    }
    decorate(Gateway, 'open', Public());
    await using test = await api(fakeVerifier(), [orders()]);
    const call = async (method: 'open' | 'closed') => {
      const gateway = new Gateway();
      const creator = test.app.get(ExternalContextCreator);
      const handler = creator.create(
        gateway,
        gateway[method],
        method,
        '',
        undefined,
        undefined,
        undefined,
        undefined,
        'ws',
      );
      return handler();
    };
    assert.equal(await call('open'), 'open');
    await assert.rejects(
      call('closed'),
      /expected a request of type http, got ws; make the handler @Public\(\)/,
    );
  });
});
