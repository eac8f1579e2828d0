import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flowDependencies, submission, TestBrowser } from '@watchword/testkit';
import { deletionEndpoint } from '../src/index.ts';

async function opened() {
  const deps = await flowDependencies();
  const browser = new TestBrowser();
  const login = browser.take(await deps.authorization.loginForAccount(browser.state, '/account/delete'));
  assert.ok(login.type === 'login', login.type);
  const form = submission({ auth_state: login.authState, username: 'ada' });
  const end = browser.take(await deps.authorization.login(form, browser.state));
  const unused = () => Promise.reject(new Error('a person without a password here is not asked for one'));
  const deletion = deletionEndpoint({
    ...deps.dependencies,
    ...deps.store,
    passwords: { hash: unused, matches: unused },
    loginAttempts: Object.assign(deps.secretAttempts, { remember: () => 'device' }),
  });
  const view = async () => (await deletion.show(browser.state)) ?? assert.fail('not logged in');
  return { deps, browser, deletion, view, end };
}

describe('the deletion of what is stored of a person without a password here', () => {
  it('is where the login leads that the page asks for', async () => {
    const { end } = await opened();
    assert.ok(end.type === 'redirect' && end.location.endsWith('/account/delete'), end.type);
  });

  it('needs a login of the last ten minutes, also when the form comes back', async () => {
    const { deps, browser, deletion, view } = await opened();
    const shown = await view();
    assert.deepEqual([shown.isLocal, shown.obstacle], [false, undefined]);
    deps.clock.advance(600_001);
    const late = await deletion.delete(submission({ auth_state: shown.authState }), browser.state);
    assert.ok(late !== undefined && 'obstacle' in late && late.obstacle === 'login');
    const again = await view();
    assert.equal(again.obstacle, 'login');
    const refused = await deletion.delete(submission({ auth_state: again.authState }), browser.state);
    assert.ok(refused !== undefined && 'obstacle' in refused);
    assert.ok(await deletion.show(browser.state), 'expected the session to go on');
  });
});
