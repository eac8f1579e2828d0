import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { EndpointError, expandTemplate } from '@watchword/endpoint';

// The uritemplate-test suite is data that is kept beside the repository, not in it.
const SUITE = new URL('../../../../shared/uritemplate-test/', import.meta.url);
const FILES = ['spec-examples', 'spec-examples-by-section', 'extended-tests', 'negative-tests'];

interface Group {
  readonly variables: object;
  readonly testcases: readonly [template: string, expected: string | readonly string[] | false][];
}

describe('the public uritemplate-test suite', {
  skip: !existsSync(SUITE) && 'its folder is not there',
}, () => {
  let cases = 0;
  for (const file of existsSync(SUITE) ? FILES : []) {
    const groups: Record<string, Group> = JSON.parse(readFileSync(new URL(`${file}.json`, SUITE), 'utf8'));
    for (const [name, { variables, testcases }] of Object.entries(groups)) {
      cases += testcases.length;
      test(`${file}: ${name}`, () => {
        for (const [template, expected] of testcases) {
          if (expected === false) {
            assert.throws(() => expandTemplate(template, variables), EndpointError, template);
          } else {
            assert.ok([expected].flat().includes(expandTemplate(template, variables)), template);
          }
        }
      });
    }
  }
  test('has 270 cases', () => assert.equal(cases, 270));
});
