import assert from 'node:assert/strict';
import test from 'node:test';
import { withJavaTypeInformation } from '../../src/endpoints/java-type-information.ts';

test('every object and list is wrapped as [type, value], and nothing else is', () => {
  const info = {
    audience: 'Test Client',
    scopes: ['read', 'write'],
    principal: {
      name: 'emma',
      roles: ['editor'],
      groups: [],
      adminPrincipal: true,
      attributes: { DISPLAY_NAME: 'Emma' },
    },
    expires_in: 1373178401833,
  };
  assert.equal(
    JSON.stringify(withJavaTypeInformation(info)),
    '["org.surfnet.oaaas.model.VerifyTokenResponse",{"audience":"Test Client",' +
      '"scopes":["java.util.ArrayList",["read","write"]],' +
      '"principal":["org.surfnet.oaaas.auth.principal.AuthenticatedPrincipal",{"name":"emma",' +
      '"roles":["java.util.ArrayList",["editor"]],"groups":["java.util.ArrayList",[]],' +
      '"adminPrincipal":true,"attributes":["java.util.HashMap",{"DISPLAY_NAME":"Emma"}]}],' +
      '"expires_in":1373178401833}]',
  );
  const [, bound] = withJavaTypeInformation({ ...info, cnf: { jkt: 'thumbprint' } });
  assert.deepEqual((bound as { cnf: unknown }).cnf, ['java.util.HashMap', { jkt: 'thumbprint' }]);
});
