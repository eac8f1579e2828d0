import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resourceProblems } from '../../src/model/fields/resources.ts';
import { comparedResourceUri, resourceUriProblem } from '../../src/model/resource-uri.ts';

const refused: Readonly<Record<string, RegExp>> = {
  '': /no absolute URI/,
  '/mcp': /no absolute URI/,
  'mcp.example': /no absolute URI/,
  'com.example.app:/x': /no absolute URI/,
  'urn:example:api': /no absolute URI/,
  'http://mcp.example/': /loopback/,
  'https://mcp.example/#part': /RFC 8707 section 2/,
  'https://mcp.example/#': /RFC 8707 section 2/,
  'https://*.example/': /wildcard/,
  'https://user@mcp.example/': /user name/,
  'https://mcp.example/a b': /space/,
  'https://mcp.example\\@evil.example/': /backslash/,
  'https://mcp.exämple/': /outside of ASCII/,
  'https:mcp.example': /host name/,
  [`https://mcp.example/${'x'.repeat(2000)}`]: /longer than 2000/,
};

describe('the URI of a resource server', () => {
  it('is https, or http on a loopback host, without a fragment', () => {
    for (const uri of [
      'https://mcp.example',
      'https://api.example:8443/v1?tenant=a',
      'http://127.0.0.1:8080/mcp',
    ]) {
      assert.equal(resourceUriProblem(uri), undefined, uri);
    }
    for (const [uri, problem] of Object.entries(refused)) {
      assert.match(resourceUriProblem(uri) ?? 'no problem', problem, uri);
      assert.equal(comparedResourceUri(uri), undefined, uri);
    }
  });

  it('is the same with an empty path and with /, and with capitals in scheme and host, and no other one is', () => {
    const same = [
      'https://mcp.example',
      'https://mcp.example/',
      'HTTPS://MCP.example',
      'https://mcp.example:443/',
    ];
    assert.deepEqual([...new Set(same.map(comparedResourceUri))], ['https://mcp.example/']);
    const others = [
      'https://mcp.example/a',
      'https://mcp.example/a/',
      'https://mcp.example/A',
      'https://mcp.example?',
    ];
    assert.equal(new Set([...others, 'https://mcp.example/'].map(comparedResourceUri)).size, 5);
  });

  it('is named once in a record', () => {
    const problems = [...resourceProblems(['https://a.example', 'https://b.example', 'https://A.example/'])];
    assert.deepEqual(problems, ['"https://A.example/" is the same URI as "https://a.example"']);
    const many = Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`);
    assert.deepEqual([...resourceProblems(many)], ['are more than 20']);
  });
});
