import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tableOf } from './support/tables.ts';
import { textParameters } from './support/text-parameters.ts';

describe('the texts of the GUI', () => {
  it('have typed keys and values; after a change: npm run texts -w packages/console', (test) => {
    const file = fileURLToPath(new URL('../src/texts/parameters.ts', import.meta.url));
    test.assert.fileSnapshot(textParameters(tableOf('en')), file, { serializers: [String] });
  });
});
