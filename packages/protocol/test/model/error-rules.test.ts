import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { protocolErrors } from '../../src/model/errors/error-table.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import type { ErrorRule } from '../../src/model/errors/rules/error-rule.ts';
import { errorRules } from '../../src/model/errors/rules/error-rules.ts';
import { profileRules } from '../../src/model/profiles/profile-rules.ts';
import { explainRule } from '../../src/rules/explain-rule.ts';

const rules = Object.entries<ErrorRule>(errorRules);

/** The sources that can throw errors of requests. */
const files = [
  'protocol/src',
  'accounts/src',
  'administration/src',
  'server/src/core',
  'server/src/features',
  'server/src/http',
  'server/src/modules',
  'server/src/runtime',
  'saml/src',
].flatMap((place) => {
  const folder = fileURLToPath(new URL(`../../../${place}`, import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith(join('model', 'errors', 'rules')))
    .map((name) => ({ name: `${place}/${name}`, text: readFileSync(join(folder, name), 'utf8') }));
});

/** The text of each construction of an error, up to its closing parenthesis. */
function constructions(text: string): string[] {
  return [...text.matchAll(/new (?:OAuth|Redirectable)Error\(/g)].map(({ index, 0: opening }) => {
    let end = index + opening.length;
    for (let depth = 1; depth > 0; end += 1) depth += { '(': 1, ')': -1 }[text.charAt(end)] ?? 0;
    return text.slice(index, end);
  });
}

// Many rules have one of these errors, so the error alone does not tell which one was broken.
const ofManyRules = [
  'invalid_request',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'access_denied',
  'login_required',
];

describe('the rules for which requests are refused', () => {
  it('are named by every error whose kind several rules share', () => {
    const unnamed = files.flatMap(({ name, text }) =>
      constructions(text)
        .filter((made) => ofManyRules.some((kind) => made.includes(`('${kind}'`)))
        // Spread details have the rule, and their type requires it.
        .filter((made) => !/\brule\b|\bbecause\(|\bwhy\b/.test(made))
        .map((made) => `${name}: ${made}`),
    );
    assert.deepEqual(unnamed, []);
    assert.ok(files.flatMap(({ text }) => constructions(text)).length > 100);
  });

  // A rule names its facts, and the table has the words. The administration has one sentence for each of its addresses.
  it('have the sentences of the errors that requests get', () => {
    const sentence = /(['`])(?:(?!\1)[^\n]){20,}\.\1/;
    const own = files
      .filter(({ name }) =>
        /^protocol\/src\/(?:authorize|clients|endpoints|grants|openid|rules|tokens)\//.test(name),
      )
      .flatMap(({ name, text }) => constructions(text).map((made) => `${name}: ${made}`))
      .filter((made) => sentence.test(made) || /\b(?:description|reason):/.test(made));
    assert.deepEqual(own, []);
  });

  it('are each the rule of an error', () => {
    const text = files.map((file) => file.text).join('\n');
    // Errors of profiles are made at one place, from the table of their rules.
    const unused = rules
      .map(([name]) => name)
      .filter((name) => !text.includes(`'${name}'`) && !Object.hasOwn(profileRules, name));
    assert.deepEqual(unused, []);
  });

  it('are those of the table for an error that names no other', () => {
    assert.equal(new OAuthError('insufficient_scope').rule, 'sufficient_scope');
    assert.equal(new OAuthError('invalid_request', { rule: 'prompt' }).rule, 'prompt');
    for (const { rule } of Object.values(protocolErrors)) assert.ok(Object.hasOwn(errorRules, rule), rule);
  });

  it('are sentences with advice, and name the section that they come from', () => {
    for (const [name, { requirement, section, advice }] of rules) {
      assert.match(requirement, /^[A-Z].*\.$/, name);
      assert.match(advice, /^[A-Z].*\.$/, name);
      if (section === undefined) continue;
      for (const each of section.split('; '))
        assert.match(each, /^(?:RFC \d{4}|O.*|SAML.*|MCP.*|FAPI.*) (?:§\d[\d.]*|Appendix B|[A-Z].*)$/, name);
    }
  });
});

describe('the command of a rule', () => {
  it('never takes the secret of a client away, or allows it the implicit grant', () => {
    for (const [name, { command = '' }] of rules)
      assert.doesNotMatch(command, /--public|--confidential false|implicit/, name);
  });
});

describe('an explained rule', () => {
  const named = { clientId: 'web-app', resourceServerKey: 'my-api' };

  it('has the command with the client and its resource server, and the address of its section', () => {
    const { command, section, sectionUrl } = explainRule(named, 'registered_redirect_uri') ?? assert.fail();
    assert.equal(command, 'watchword client update web-app --redirect-uri REDIRECT_URI');
    assert.equal(section, 'RFC 6749 §3.1.2.3');
    assert.equal(sectionUrl, 'https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2.3');
    assert.equal(
      explainRule(named, 'token_of_resource_server')?.command,
      'watchword resource-server show my-api',
    );
    assert.equal(explainRule(named, 'prompt')?.sectionUrl, undefined);
  });

  it('has words in capitals in place of records that the request does not name', () => {
    const unnamed = { clientId: undefined, resourceServerKey: undefined };
    assert.equal(explainRule(unnamed, 'client_secret')?.command, 'watchword client add-secret CLIENT_ID');
    assert.equal(
      explainRule(unnamed, 'token_of_resource_server')?.command,
      'watchword resource-server show KEY',
    );
  });

  it('quotes a name for the shell', () => {
    const hostile = { clientId: "a'; rm -rf $& ~", resourceServerKey: undefined };
    assert.equal(
      explainRule(hostile, 'issued_secret')?.command,
      String.raw`watchword client rotate-secret 'a'\''; rm -rf $& ~'`,
    );
  });

  it('does not exist for a rule of another release', () => {
    assert.equal(explainRule(named, 'of_the_future'), undefined);
    assert.equal(explainRule(named, 'toString'), undefined);
  });
});
