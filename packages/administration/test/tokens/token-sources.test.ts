import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildAdministrator,
  buildCaller,
  buildClient,
  buildClientCaller,
  buildResourceServer,
  grantFactory,
  protocolDependencies,
} from '@watchword/testkit';
import { type Caller, commandLineCaller } from '../../src/callers/caller.ts';
import {
  type AccessTokenFilter,
  readableSources,
  scanPosition,
  tokenSources,
} from '../../src/tokens/token-sources.ts';

describe('a list of access tokens', () => {
  it('is read by the narrowest index, and nothing is read that the caller cannot see', async () => {
    const { client, store } = protocolDependencies();
    store.putResourceServer(
      buildResourceServer({ id: 2, key: 'own', owner: 'robot', ownerAuthority: 'client:7' }),
    );
    store.putClient(buildClient({ id: 8, clientId: 'of the robot', resourceServerId: 2 }));
    store.putClient(buildClient({ id: 9, clientId: 'orphan', resourceServerId: 99 }));
    store.putResourceServer(buildResourceServer({ id: 3, key: 'of finn', owner: 'finn' }));
    const others = [2, 3].map((resourceServerId) => ({ resourceServerId, scopes: ['read'] }));
    store.putClient(buildClient({ id: 10, clientId: 'using', otherResourceServers: others }));
    const [root, emma, tool] = [buildAdministrator(), buildCaller('emma'), commandLineCaller('ops')];
    const [finn, gina] = [buildCaller('finn'), buildCaller('gina')];
    const granted = ({ login }: Caller) => ({ of: 'subject', subject: login?.owner.subject });
    const acting = (clientRecordId: number, at?: readonly number[]) => ({
      ...ofClient(clientRecordId),
      acting: { at },
    });
    const robot = buildClientCaller(store.putClient(buildClient({ id: 7, clientId: 'robot' })));
    const nobody: Caller = { ...emma, login: undefined, client: undefined };
    const ofClient = (clientRecordId: number) => ({ of: 'client', clientRecordId });
    const rows: [caller: Caller, filter: AccessTokenFilter, expected: readonly object[]][] = [
      [root, {}, [{ of: 'all' }]],
      [tool, {}, [{ of: 'all' }]],
      [root, { clientId: client.clientId, resourceOwnerId: 'emma' }, [ofClient(client.id)]],
      [root, { clientId: 'unknown' }, []],
      [root, { resourceOwnerId: 'emma' }, [{ of: 'owner', name: 'emma' }]],
      [root, { resourceOwnerId: 'robot' }, [{ of: 'owner', name: 'robot' }, ofClient(7)]],
      [emma, {}, [granted(emma)]],
      [emma, { clientId: client.clientId }, [granted(emma), acting(client.id)]],
      [finn, { clientId: client.clientId }, [granted(finn)]],
      [finn, { clientId: 'using' }, [granted(finn), acting(10, [3])]],
      [gina, { clientId: 'using' }, [granted(gina)]],
      [nobody, {}, []],
      [robot, {}, [ofClient(7)]],
      [robot, { clientId: 'robot' }, [ofClient(7)]],
      [robot, { clientId: 'of the robot' }, [acting(8)]],
      [robot, { clientId: 'using' }, [acting(10, [2])]],
      [robot, { clientId: client.clientId }, []],
      [robot, { clientId: 'orphan' }, []],
      [robot, { clientId: 'unknown' }, []],
    ];
    for (const [caller, filter, expected] of rows) {
      const sources = await tokenSources(caller, filter, store);
      assert.deepEqual(sources, expected, `${caller.principal.name} ${JSON.stringify(filter)}`);
    }
  });

  it('asks each source for what follows the last token', async () => {
    const asked: object[] = [];
    const scan = async (of: object) => {
      asked.push(of);
      return [];
    };
    const [source = assert.fail()] = readableSources([{ of: 'all' }], { scan }, 'x');
    await source.read(undefined, 5);
    await source.read({ id: 'a' }, 4);
    assert.deepEqual(asked, [
      { of: 'all', mayContain: 'x', limit: 5 },
      { of: 'all', mayContain: 'x', before: { id: 'a' }, limit: 4 },
    ]);
  });

  it('goes on behind a token by its id, its grant and the identity provider of its owner', () => {
    const make = grantFactory();
    const grant = make.grant({});
    const { accessToken } = make.tokens(grant);
    assert.deepEqual(scanPosition({ ...accessToken, grantId: grant.id, grant }), {
      id: accessToken.id,
      grantId: grant.id,
      identityProvider: grant.owner.identityProvider,
    });
    const alone = scanPosition({ ...accessToken, grantId: undefined, grant: undefined });
    assert.deepEqual(alone, { id: accessToken.id });
  });
});
